// A Node process that does only the minimum work of a run. Like the run, it reads the files, requests the pages with
// undici and writes the text. The argument of this program is a JSON file. `origin` and `token` are for the service.
// `pages` has the path and query of each page, in the order of the requests; an element with a body is sent as a POST.
// `width` is the concurrency limit. `inputs` are JSON files to read, such as the configuration and the state. `outputs`
// has the path of each file to write, with the path of a file that has its content. `parts` names parts of a plan in
// `least-work.js`, which need a configuration and a state as inputs.
const { readFileSync, writeFileSync } = require("node:fs");
// Only these two modules are loaded, because all of undici takes three times as long.
const Pool = require("undici/lib/dispatcher/pool");
const request = require("undici/lib/api/api-request");

const {
  origin,
  token,
  pages,
  width = 10,
  inputs = [],
  outputs = {},
  parts = [],
} = JSON.parse(readFileSync(process.argv[2], "utf8"));

async function main() {
  const leastWork = parts.length > 0 ? require("./least-work") : undefined;
  leastWork?.start(parts);
  const texts = inputs.map((file) => readFileSync(file, "utf8"));
  const [configuration, state] = texts.map((text) => JSON.parse(text));
  const records = [];
  const pool = new Pool(origin, { connections: width });
  const headers = { "private-token": token, accept: "application/json" };
  const sent = { ...headers, "content-type": "application/json" };
  let next = 0;
  const worker = async () => {
    while (next < pages.length) {
      const page = pages[next++];
      const { statusCode, body } = await request.call(
        pool,
        typeof page === "string"
          ? { method: "GET", path: page, headers }
          : { method: "POST", path: page.path, body: JSON.stringify(page.body), headers: sent },
      );
      const text = await body.text();
      if (typeof page !== "string" && statusCode !== 201)
        throw new Error(`${page.path}: ${statusCode} ${text}`);
      const found = statusCode < 300 ? JSON.parse(text) : [];
      if (parts.length > 0) records.push(...found);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  await pool.close();
  leastWork?.work(parts, { configuration, state, text: texts[1], records });
  for (const [file, source] of Object.entries(outputs)) writeFileSync(file, readFileSync(source));
}

main();
