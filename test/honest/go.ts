import type { Honest } from './projects.ts';

const GO_TEST =
  'package sums\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal("no sum")\n\t}\n}\n\nfunc TestNothing(t *testing.T) {\n\tif Add(0, 0) != 0 {\n\t\tt.Fatal("no zero")\n\t}\n}\n';

export const GO: readonly Honest[] = [
  {
    title: 'a Go module, with a package and tests that the work adds',
    files: {
      'go.mod': 'module example.com/sums\n\ngo 1.19\n',
      'sums/sums.go': 'package sums\n\nfunc Add(a, b int) int { return a - b }\n',
      'sums/sums_test.go': GO_TEST,
    },
    check: 'go test ./...',
    step: {
      files: {
        'sums/sums.go':
          'package sums\n\nimport "example.com/sums/internal/plus"\n\nfunc Add(a, b int) int { return plus.Plus(a, b) }\n',
        'internal/plus/plus.go': 'package plus\n\nfunc Plus(a, b int) int { return a + b }\n',
        'internal/plus/plus_test.go':
          'package plus\n\nimport "testing"\n\nfunc TestPlus(t *testing.T) {\n\tif Plus(7, 8) != 15 {\n\t\tt.Fatal("no sum")\n\t}\n}\n',
      },
    },
    needs: ['go'],
  },
];
