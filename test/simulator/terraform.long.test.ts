import { writeFileSync } from "node:fs";
import path from "node:path";
import { startService } from "cdktf-provider-steward/testing";
import { serveReattach } from "../../src/plugin";
import { createProvider } from "../../src/provider";
import { Workspace } from "../plugin/support/workspace";
import { describeWith } from "../support/capabilities";
import { inFewLines } from "../support/few-lines";
import recorded from "./actors/terraform-calls.golden.json";
import { type Call, traced, type Walk, walksOf } from "./actors/trace";
import { SCENARIO } from "./story/terraform-scenario";
import { type App, filesOf } from "./world/app";
import { COMPANY, ORIGIN, TOKEN } from "./world/company";
import { edited } from "./world/edit";

/**
 * Returns the configuration of an app with one stack. The configuration uses the real service at `url`, and a real
 * state file.
 */
function configurationOf(app: App, url: string): string {
  const text = filesOf(app, "file").at(-1)![1].replaceAll(ORIGIN, url).replace("/app/", "");
  const { provider, ...rest } = JSON.parse(text) as { provider: { steward: object[] } };
  const steward = provider.steward.map((one) => ({ ...one, token: TOKEN }));
  return JSON.stringify({ ...rest, provider: { steward } });
}

describeWith("engine", "the recorded calls of Terraform", (engine) => {
  it("the recorded provider calls equal the provider calls of the installed Terraform", async () => {
    const service = await startService({ fixture: COMPANY });
    const calls: Call[] = [];
    const server = await serveReattach(traced(createProvider(), (call) => calls.push(call)));
    const workspace = new Workspace(engine, server.env);
    workspace.delete("versions.tf");
    const found: Record<string, readonly Walk[]> = {};
    let app: App = { hasSecond: false, stacks: [{ name: "a", declarations: [], moved: [] }] };
    for (const { name, edits, command } of SCENARIO) {
      app = edits.reduce(edited, app);
      workspace.write("main.tf.json", configurationOf(app, service.url));
      if (name === SCENARIO[0]!.name) await workspace.succeed("init");
      calls.length = 0;
      await workspace.succeed(command, "-auto-approve");
      found[name] = walksOf(calls);
    }
    workspace.remove();
    await server.close();
    await service.close();
    if (process.env["STEWARD_RECORD"])
      writeFileSync(
        path.join(__dirname, "actors", "terraform-calls.golden.json"),
        `${inFewLines(found, 3)}\n`,
      );
    else expect(found).toEqual(recorded);
  }, 120_000);
});
