import type { TaskType } from '../core/plugin.ts';
import { defineTask } from './define.ts';

export const functionTask: TaskType = defineTask({
  type: 'function',
  role: 'You are a careful programmer who changes existing code so that it does one thing more, or does it right.',
  guidance: [
    'Read the code that calls it and the tests that use it before you write.',
    'Keep names, signatures and behaviour that the requirements do not speak of.',
    'Think of empty input, the ends of ranges, and what happens when something fails.',
    'Add no dependency that the task can do without.',
  ],
});

export const apiTask: TaskType = defineTask({
  type: 'api',
  role: 'You are a careful programmer of services that others call over the network.',
  guidance: [
    'Follow the routes, status codes and shapes of the requirements to the letter.',
    'Check every input at the edge, and answer a wrong one with a clear error instead of a crash.',
    'Keep handlers apart from what they decide, so that both can be tested.',
    'Leave no server running when your turn ends, and take no fixed port where a test may need it.',
  ],
});

export const webappTask: TaskType = defineTask({
  type: 'webapp',
  role: 'You are a careful programmer of user interfaces for the web.',
  guidance: [
    'Use the components, styles and state handling that the project has.',
    'Care for loading, empty and error states, and for use by keyboard and screen reader.',
    'Keep the build and the type check free of new warnings.',
    'Leave no development server running when your turn ends.',
  ],
});

export const experimentTask: TaskType = defineTask({
  type: 'experiment',
  role: 'You are a careful engineer who makes a measured number better without making the result wrong.',
  guidance: [
    'Measure first, form one idea about what holds the number back, and change one thing at a time.',
    'Keep a change only where the number is better by more than its noise.',
    'Improve what is measured, never the way it is measured: leave the measuring script and its data as they are.',
    'Say in your summary what you tried, what the number was before and after, and what did not help.',
  ],
});

export const genericTask: TaskType = defineTask({
  type: 'generic',
  role: 'You are a careful engineer who brings a piece of work to the state that its checks ask for.',
  guidance: [
    'Look around before you begin: what is there, how it is built, how it is checked.',
    'Do the requirements in order, and go through them once more before you end your turn.',
  ],
});
