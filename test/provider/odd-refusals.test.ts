import { recordAnswer, refusal, useRunsBehind } from "./support/behind";
import { Host } from "./support/host";
import { useWorld } from "./support/world";

// Tests refusals whose format differs from the documented format.

const world = useWorld();
const behind = useRunsBehind();
const TAKEN = refusal(400, { name: ["has already been taken"] });

describe('400 {"message":{"name":["has already been taken"]}} for a protected environment', () => {
  const config = { project: "acme/web", name: "production", deploy_access_levels: [{ access_level: 40 }] };
  const host = () => new Host(world(), "steward_protected_environment");

  /** Creates an environment. `before` runs between the plan and the apply. */
  async function created(before: () => Promise<unknown>, isForwarded: boolean) {
    const connect = await behind(world(), async (passage) => {
      if (passage.method !== "POST") return undefined;
      return isForwarded ? passage.forward() : TAKEN;
    });
    const plan = await host().plan(undefined, config);
    await before();
    world().service.requests.reset();
    return host().apply(plan, connect());
  }

  test("if the service refuses a name as taken and a read finds the object, the error suggests the import command", async () => {
    world().service.habits.add("odd-refusals");
    const { state, diagnostics } = await created(
      () => host().bring(undefined, { ...config, deploy_access_levels: [{ access_level: 30 }] }),
      true,
    );
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "already_exists", action: { kind: "import", id: "acme/web:production" } },
    ]);
    expect(world().service.requests.count("POST")).toBe(1);
  });

  test("if the service refuses a name as taken but a read finds no object, the error reports the unsuccessful search", async () => {
    const { state, diagnostics } = await created(async () => undefined, false);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        code: "already_there",
        summary: "Refused as existing, but not found",
        detail: expect.stringContaining("Steward then searched for the object and did not find it."),
      },
    ]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]!.action).toBeUndefined();
  });
});

test("if the service returns an array of reasons for a failed invitation, the provider reports one error without a retry", async () => {
  let sent = 0;
  const connect = await behind(world(), (passage) => {
    if (passage.method !== "POST") return undefined;
    sent += 1;
    return recordAnswer(201, {
      status: "error",
      message: { "x@y.example": ["Access level is not included"] },
    });
  });
  const host = new Host(world(), "steward_project_invitation");
  const config = { project: "acme/web", email: "x@y.example", access_level: 30 };
  const { state, diagnostics } = await host.apply(await host.plan(undefined, config), connect());
  expect({ sent, state }).toEqual({ sent: 1, state: undefined });
  expect(diagnostics).toMatchObject([
    { code: "invitation_failed", detail: expect.stringContaining("Access level is not included") },
  ]);
});
