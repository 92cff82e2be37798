import { HttpProxy, type Passage } from "../support/http-proxy";
import { actions, Stack } from "./support/stack";
import { FIXTURE, PROJECT, TOKEN, useWorld } from "./support/world";

// A list without totals has two pages. Another client deletes an unrelated entry between the reads of both pages, so
// the second page skips an entry. The tests plan, apply and detect drift with the embedded engine.

const LIST = `/projects/${PROJECT.web}/protected_environments`;
const LEVELS = [{ access_level: 40 }];
/** The first entry of the list. No stack declares this entry. */
const UNRELATED = "a";

const world = useWorld(FIXTURE, undefined, "observed");
const names = Array.from({ length: 150 }, (_, index) => `e${index}`);
const environments = Object.fromEntries(
  names.map((name) => [name, { project: "acme/web", name, deploy_access_levels: LEVELS }]),
);

const protect = () => world().http("POST", LIST, { name: UNRELATED, deploy_access_levels: LEVELS });
const unprotect = () => world().http("DELETE", `${LIST}/${UNRELATED}`);

/** Returns a stack behind a proxy. The proxy calls `pass` for each request. */
async function stackBehind(pass: (passage: Passage) => Promise<void>) {
  const proxy = new HttpProxy(world().service.url, async (passage) => {
    await pass(passage);
    passage.answer(await passage.forward());
  });
  const base_url = await proxy.start();
  const stack = new Stack(world(), {
    provider: { steward: [{ base_url, token: TOKEN.maintainer }] },
    resource: { steward_protected_environment: environments },
  });
  return { stack, close: () => proxy.close() };
}

test("if another client deletes an unrelated entry between two pages, drift and apply lose no object", async () => {
  let isDeleting = false;
  let deletions = 0;
  const { stack, close } = await stackBehind(async ({ method, url }) => {
    if (!isDeleting || method !== "GET" || !/protected_environments\?.*page=2/.test(url)) return;
    isDeleting = false;
    deletions += 1;
    await unprotect();
  });
  try {
    await stack.apply();
    await protect();
    isDeleting = true;
    const { drifted, diagnostics } = await stack.drift();
    expect(diagnostics).toEqual([]);
    expect(drifted).toEqual([]);

    await protect();
    isDeleting = true;
    const changed = await stack.plan();
    expect(changed.diagnostics).toEqual([]);
    expect(actions(changed)).toEqual({});

    await protect();
    isDeleting = true;
    const applied = await stack.apply();
    expect(applied.diagnostics).toEqual([]);
    expect(stack.state().resources).toHaveLength(names.length);
    expect(deletions).toBe(3);
  } finally {
    close();
    stack.remove();
  }
});
