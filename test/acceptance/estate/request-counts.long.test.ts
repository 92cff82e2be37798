import { copyFileSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { makeMirror, type PluginMirror } from "../../plugin/support/plugin-mirror";
import { Workspace } from "../../plugin/support/workspace";
import { crowdOfProjects } from "../../provider/support/crowd";
import { describeWith } from "../../support/capabilities";
import {
  CASES,
  declared,
  entriesOfTwo,
  fixture,
  lookUps,
  MANY,
  PROJECTS,
  TERRAFORM,
} from "./request-count-cases";
import { EstateStack, type Resources } from "./support";

const CROWDED = crowdOfProjects(MANY);
let service: Service;
beforeAll(async () => {
  service = await startService({ fixture, recordRequests: true });
});
afterAll(() => service.close());

describeWith("engine", "under Terraform", (engine) => {
  jest.setTimeout(120_000);
  let mirror: PluginMirror;
  let workspace: Workspace;
  beforeAll(async () => {
    mirror = await makeMirror();
    workspace = new Workspace(engine, {
      TF_CLI_CONFIG_FILE: mirror.configuration,
      STEWARD_BASE_URL: service.url,
      STEWARD_TOKEN: service.adminToken,
    });
    await workspace.succeed("init");
  });
  afterAll(() => {
    workspace.remove();
    mirror.remove();
  });
  const declare = (resource: Resources) => workspace.write("main.tf.json", JSON.stringify({ resource }));

  test("projects that are named by path are looked up by the pages of their group, by a plan, by its apply, and never again", async () => {
    declare(entriesOfTwo(MANY - 2));
    const steps = [
      // Two pages, and at most three paths alone before them, where Terraform asks for few at first.
      [["plan", "-out=planned"], 5],
      // Another process, which Terraform has plan each object once more.
      [["apply", "planned"], 5],
      [["plan"], 0],
    ] as const;
    for (const [words, most] of steps) {
      service.requests.reset();
      await workspace.succeed(...words);
      expect(lookUps(service).length).toBeLessThanOrEqual(most);
    }
  });

  test("a no-change plan: one object of a list alone where it can be, and from the second on its pages", async () => {
    const stack = new EstateStack(service);
    const resource = Object.fromEntries(
      Object.entries(CASES).flatMap(([type, { counts }]) =>
        Object.entries(declared(type, counts === undefined ? MANY : PROJECTS, TERRAFORM)),
      ),
    );
    try {
      stack.declare(resource);
      await stack.apply();
      // What one engine wrote the other takes over.
      copyFileSync(stack.stateFile, path.join(workspace.folder, "terraform.tfstate"));
      declare(resource);
      service.requests.reset();
      expect((await workspace.plan()).changes).toBe(false);
      const asked: Record<string, number> = {};
      for (const { route, url } of service.requests.all) {
        const isOfTarget = CROWDED.some(({ id }) => url.includes(`/projects/${id}/`));
        const name = `${route}${url.includes("query=") ? " of one" : ""}${isOfTarget ? " of a target" : ""}`;
        asked[name] = (asked[name] ?? 0) + 1;
      }
      const expected = Object.values(CASES).map(({ underTerraform }) => underTerraform);
      expect(asked).toEqual(Object.assign({}, ...expected));
    } finally {
      stack.remove();
    }
  });
});
