import { Stack } from "./support/stack";
import { TOKEN, useWorld } from "./support/world";

// Tests the scan for live objects without a declaration.

const world = useWorld();

test("the list of objects to adopt contains the live objects that have no declaration", async () => {
  const project = "acme/web";
  const level = { access_level: 40 };
  const stack = new Stack(world(), {
    provider: { steward: [{ base_url: world().service.url, token: TOKEN.owner, max_attempts: 1 }] },
    resource: {
      steward_job_token_scope: { web: { project, inbound_enabled: true } },
      steward_protected_environment: { live: { project, name: "live", deploy_access_levels: [level] } },
    },
  });
  try {
    await stack.apply();
    const body = { name: "by-hand", deploy_access_levels: [level] };
    await world().http(
      "POST",
      "/projects/acme%2Fweb/protected_environments",
      body,
      world().service.adminToken,
    );
    const within = [{ names: [project], kind: "project", contents: "none" as const }];
    const { scans } = await stack.drift({ coverage: true, forAdoption: true, within });
    expect(scans).toHaveLength(1);
    const ids = scans[0]!.listing.objects.map(({ type, id }) => `${type} ${id}`);
    expect(ids).toContain("steward_protected_environment 1:by-hand");
    expect(ids).not.toContain("steward_protected_environment 1:live");
    expect(ids.filter((id) => id.startsWith("steward_job_token_scope"))).toEqual([]);
  } finally {
    stack.remove();
  }
});

test("without declarations, the search for undeclared objects reads the projects that the caller names", async () => {
  const stack = new Stack(world(), {});
  try {
    const within = [{ names: ["acme/web"], kind: "project", contents: "none" as const }];
    const { scans } = await stack.drift({ coverage: true, within });
    expect(scans.map(({ containers }) => containers)).toEqual([["project 1"]]);
    expect((await stack.drift({ coverage: true })).scans).toEqual([]);
  } finally {
    stack.remove();
  }
});
