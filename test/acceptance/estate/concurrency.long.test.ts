import { copyFileSync } from "node:fs";
import path from "node:path";
import { ReattachedWorkspace } from "../../plugin/support/reattached-workspace";
import { describeWith } from "../../support/capabilities";
import {
  CROWDED,
  EMPTY,
  entries,
  gate,
  INITIAL_LIMIT,
  ids,
  isList,
  isPageAfterFirst,
  isWrite,
  MAX_LIMIT,
  named,
  PAGES,
  service,
  stack,
  useGate,
  whole,
} from "./concurrency";
import type { Resources } from "./support";

useGate();

describeWith("engine", "under Terraform", (engine) => {
  let workspace: ReattachedWorkspace;
  beforeEach(async () => {
    workspace = await ReattachedWorkspace.open(engine);
  });
  afterEach(() => workspace.close());

  const declare = (resource: Resources) => {
    const provider = { steward: { base_url: gate.url, token: service.adminToken } };
    workspace.write("main.tf.json", JSON.stringify({ provider, resource }));
  };

  test("with -parallelism=4, Terraform creates four entries of an allowlist at the same time", async () => {
    declare(entries(ids.slice(0, 12)));
    const meeting = { isOne: isWrite("POST"), atOnce: 4, total: 12 };
    const apply = () => workspace.apply("-parallelism=4");
    expect(await gate.during(meeting, apply)).toEqual({ most: 4, seen: 12 });
  });

  test("even with -parallelism=1, the provider writes several entries of one list at the same time", async () => {
    const [project = "", ...others] = ids;
    declare(whole(others, project));
    const meeting = { isOne: isWrite("POST"), atOnce: INITIAL_LIMIT, total: others.length };
    const { most, seen } = await gate.during(meeting, () => workspace.apply("-parallelism=1"));
    expect(seen).toBe(others.length);
    expect(most).toBeGreaterThanOrEqual(INITIAL_LIMIT);
    expect(most).toBeLessThanOrEqual(MAX_LIMIT);
  });

  /** Applies resources with the embedded engine, and gives the state and the declarations to Terraform. */
  async function taken(resource: Resources): Promise<void> {
    stack.declare(resource);
    await stack.apply();
    copyFileSync(stack.stateFile, path.join(workspace.folder, "terraform.tfstate"));
    declare(resource);
  }
  const expectNothing = async (words: string) => expect((await workspace.plan(words)).changes).toBe(false);

  test.each([4, 8])(
    "with -parallelism=%d, the provider requests this number of lists at the same time",
    async (width) => {
      const eleven = ids.slice(0, 11);
      await taken({
        steward_container_protection_rule: named(eleven, (project) => ({
          project,
          repository_path_pattern: `estate/${width}/*`,
          minimum_access_level_for_push: "owner",
        })),
      });
      // Until its first response, the client sends only three requests at the same time. The first three requests do not
      // wait at the gate; the other eight requests do.
      let sent = 0;
      const isLater = (method: string, url: string) => isList(method, url) && ++sent > 3;
      const meeting = { isOne: isLater, atOnce: width, total: 8 };
      const plan = () => expectNothing(`-parallelism=${width}`);
      expect(await gate.during(meeting, plan)).toEqual({ most: width, seen: 8 });
    },
  );

  test("even with -parallelism=1, the provider requests the pages of a list at the same time", async () => {
    await taken({
      steward_job_token_allowlist_project: { one: { project: CROWDED, target_project: EMPTY } },
    });
    const meeting = { isOne: isPageAfterFirst, atOnce: PAGES - 1, total: PAGES - 1 };
    const plan = () => expectNothing("-parallelism=1");
    expect(await gate.during(meeting, plan)).toEqual({ most: PAGES - 1, seen: PAGES - 1 });
  });
});
