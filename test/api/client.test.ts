import { execFileSync } from "node:child_process";
import { join } from "node:path";

test("making a client sends nothing, and loads undici no earlier than its first request", () => {
  const script = `
    const { createClient } = require("./src/api");
    createClient({ baseUrl: "https://steward.example", token: "t", env: {} });
    console.log(Object.keys(require.cache).filter((file) => /[\\\\/]undici[\\\\/]/.test(file)).length);
  `;
  const printed = execFileSync(process.execPath, ["--import", "tsx", "-e", script], {
    cwd: join(__dirname, "../.."),
    encoding: "utf8",
  });
  expect(printed.trim()).toBe("0");
});
