// This program runs the apps of tests one after the other in one process, in which cdktf and its dependencies are
// loaded only once. A separate process with tsx would take a second of processor time for each app. The program listens
// on the socket whose path is its argument. A request consists of texts that end with a zero byte: the folder, the
// file, and the environment. The response is `ok` with the app's stdout, or `failed` with the error. The response is
// empty if the app needs a separate process. An app needs a separate process if it ends its process, writes to stderr,
// or has not synthesized anything when it is loaded.
const { statSync } = require("node:fs");
const { createServer } = require("node:http");
const path = require("node:path");
const { buffer } = require("node:stream/consumers");

const DEPENDENCIES = path.join(__dirname, "..", "..", "..", "node_modules") + path.sep;
require("tsx/cjs/api").register();
require("cdktf");

/** Runs the app in a folder, and returns the response. */
function run(folder, file, env) {
  const before = { env: process.env, exit: process.exit, folder: process.cwd() };
  const [out, err] = [process.stdout.write, process.stderr.write];
  let written = "";
  let isForProcess = false;
  process.stdout.write = (text) => {
    written += text;
    return true;
  };
  process.stderr.write = () => {
    isForProcess = true;
    return true;
  };
  process.exit = () => {
    isForProcess = true;
    throw new Error("The app ends its process.");
  };
  process.env = env;
  process.chdir(folder);
  const manifest = path.resolve(env.CDKTF_OUTDIR ?? "cdktf.out", "manifest.json");
  const writtenAt = () => statSync(manifest, { throwIfNoEntry: false })?.mtimeMs;
  const old = writtenAt();
  try {
    require(path.resolve(file));
    return writtenAt() !== old && !isForProcess ? `ok${written}` : "";
  } catch (problem) {
    return isForProcess ? "" : `failed${problem?.stack ?? problem}`;
  } finally {
    process.stdout.write = out;
    process.stderr.write = err;
    process.exit = before.exit;
    process.env = before.env;
    process.chdir(before.folder);
    // The next run must load the app again, and also the constructs, which remember lines of its files.
    for (const name of Object.keys(require.cache))
      if (!name.startsWith(DEPENDENCIES) && name !== __filename) delete require.cache[name];
    module.children.length = 0;
  }
}

createServer(async (request, response) => {
  const [folder, file, ...texts] = (await buffer(request)).toString().split("\0");
  const env = Object.fromEntries(texts.filter(Boolean).map((text) => text.split(/=(.*)/s, 2)));
  response.end(run(folder, file, env));
}).listen(process.argv[2], () => process.send("listening"));
process.on("disconnect", () => process.exit());
