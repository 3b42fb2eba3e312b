// Loaded into mocha by --require, before its test files: says how far mocha came in loading them.
const { appendFileSync } = require('node:fs');
const { _cache: cache } = require('node:module');

// The reporter, which is loaded next, takes them out of the environment. Workers do not have them.
const { LOOPGEN_NONCE: nonce, LOOPGEN_REPORT: file } = process.env;

const write = (fields) => appendFileSync(file, `\n${JSON.stringify({ ...fields, n: nonce })}\n`);

function follow(Mocha) {
  const { loadFilesAsync, reporter } = Mocha.prototype;
  // Called by the constructor: from there on only test files are missing.
  Mocha.prototype.reporter = function made(...args) {
    write({ e: 'made' });
    return Reflect.apply(reporter, this, args);
  };
  Mocha.prototype.loadFilesAsync = async function load(...args) {
    let loading;
    this.suite.on('pre-require', (_global, path) => {
      loading = path;
      write({ e: 'start', file: path });
    });
    this.suite.on('post-require', (_global, path) => write({ e: 'done', file: path }));
    try {
      return await Reflect.apply(loadFilesAsync, this, args);
    } catch (error) {
      write({ e: 'unloadable', file: loading, message: String(error?.stack || error) });
      throw error;
    }
  };
}

if (nonce !== undefined) {
  write({ e: 'begin', runner: 'mocha' });
  const path = Object.keys(cache).find((name) => /[\\/]mocha[\\/]lib[\\/]mocha\.js$/.test(name));
  const Mocha = path && cache[path].exports;
  if (Mocha?.prototype?.loadFilesAsync) follow(Mocha);
}
