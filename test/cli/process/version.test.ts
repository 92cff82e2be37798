import { readFileSync } from "node:fs";
import path from "node:path";
import { PROVIDER_SOURCE } from "../../../src/provider";
import { runInProcess } from "../support/in-process";

const packageFile = path.join(__dirname, "..", "..", "..", "package.json");
const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
const run = (...args: string[]) => runInProcess(args, { folder: __dirname });

test("version prints the version, the platform in Terraform's names, and the provider", async () => {
  const { code, out, err } = await run("version");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(
    new RegExp(`^Steward v${version}\non [a-z]+_[a-z0-9]+\n\\+ provider ${PROVIDER_SOURCE} v${version}\n$`),
  );
});

test("version --json prints one JSON object, as --version prints the version alone", async () => {
  expect(JSON.parse((await run("version", "--json")).out)).toEqual({
    version,
    platform: expect.stringMatching(/^[a-z]+_[a-z0-9]+$/),
    node_version: process.versions.node,
    provider_selections: { [PROVIDER_SOURCE]: version },
  });
  expect((await run("--version")).out).toBe(`${version}\n`);
});
