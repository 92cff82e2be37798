import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { json, startFaultServer } from "./support/fault-server";

/** Runs a script in a separate process, and returns the output. The script uses the client. */
async function printedBy(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "-e", `const { createClient } = require("./src/api");${script}`],
    { cwd: join(__dirname, "../..") },
  );
  return stdout.trim();
}

test("creating a client does not load undici", async () => {
  const printed = await printedBy(`
    createClient({ baseUrl: "https://steward.example", token: "t", env: {} });
    console.log(Object.keys(require.cache).filter((file) => /[\\\\/]undici[\\\\/]/.test(file)).length);
  `);
  expect(printed).toBe("0");
});

test("a client that is not closed does not keep the process alive", async () => {
  const server = await startFaultServer(json(200, { id: 1, username: "ann" }));
  const printed = await printedBy(`
    const client = createClient({ baseUrl: "${server.baseUrl}", token: "t", env: {} });
    client.users.current().then(({ username }) => console.log(username));
  `);
  expect(printed).toBe("ann");
  await server.close();
});

test("a cancelled wait for a rate limit does not keep the process alive", async () => {
  const server = await startFaultServer(json(429, {}, { "retry-after": "300" }));
  const printed = await printedBy(`
    const abort = new AbortController();
    const onEvent = ({ type }) => type === "rate_limit" && setImmediate(() => abort.abort());
    const client = createClient({ baseUrl: "${server.baseUrl}", token: "t", env: {}, onEvent, signal: abort.signal });
    client.users.current().catch(({ code }) => console.log(code));
  `);
  expect(printed).toBe("cancelled");
  await server.close();
});
