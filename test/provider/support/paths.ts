import { formatPath } from "../../../src/diagnostics";
import { Stack } from "./stack";
import { GROUP, PROJECT, TOKEN, USER, useWorld } from "./world";

interface Diagnosed {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: string;
    readonly attribute?: readonly unknown[];
    readonly detail: string;
  }[];
}
export const codes = ({ diagnostics }: Diagnosed): string[] => [
  ...new Set(
    diagnostics.map(
      ({ severity, code, attribute }) =>
        `${severity} ${code}${attribute === undefined ? "" : ` ${formatPath(attribute as never)}`}`,
    ),
  ),
];
export const changing = ({ changes }: Awaited<ReturnType<Stack["plan"]>>) =>
  Object.fromEntries(
    changes.filter(({ action }) => action !== "no-op").map(({ address, action }) => [address, action]),
  );

export const environment = (
  project: string,
  name = "production",
  levels: readonly object[] = [{ access_level: 40 }],
) => ({
  project,
  name,
  deploy_access_levels: levels,
});
export const rule = (project: string, pattern: string) => ({
  project,
  repository_path_pattern: pattern,
  minimum_access_level_for_push: "maintainer",
});
export const protectedOf = (...all: readonly object[]) => ({
  steward_protected_environment: Object.fromEntries(all.map((one, index) => [`e${index}`, one])),
});

/** Makes a world for tests in which a path or a name passes to another project or user. */
export function usePaths() {
  const world = useWorld();
  const admin = (method: string, path: string, body?: object) =>
    world().http(method, path, body, world().service.adminToken);
  const stacks: Stack[] = [];
  afterEach(() => {
    for (const one of stacks.splice(0)) one.remove();
  });

  const OWNER = () => ({
    provider: { steward: [{ base_url: world().service.url, token: TOKEN.owner, max_attempts: 1 }] },
  });
  function stackOf(resource: object): Stack {
    const stack = new Stack(world(), { ...OWNER(), resource });
    stacks.push(stack);
    return stack;
  }
  const declare = (stack: Stack, resource: object) => stack.declare({ ...OWNER(), resource });

  /** Applies declarations to a new state. */
  async function applied(resource: object): Promise<Stack> {
    const stack = stackOf(resource);
    expect((await stack.apply()).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return stack;
  }

  const writes = () => world().service.requests.all.filter(({ method }) => method !== "GET");
  /** Renames `acme/tools`, and creates another project under the old path. Returns the id of the new project. */
  async function takePath(): Promise<number> {
    await world().http("PUT", `/projects/${PROJECT.tools}`, { path: "instruments" });
    const made = await world().http("POST", "/projects", { path: "tools", namespace_id: GROUP.acme });
    return (made as { id: number }).id;
  }

  /** Renames the user `devon`, and gives the old name to another user. Returns the id of that user. */
  async function takeName(): Promise<number> {
    await admin("PUT", `/users/${USER.devon}`, { username: "devona" });
    const made = (await admin("POST", "/users", {
      username: "devon",
      name: "Stranger",
      email: "s@example.com",
    })) as {
      id: number;
    };
    await world().http("POST", `/projects/${PROJECT.web}/members`, { user_id: made.id, access_level: 30 });
    return made.id;
  }

  return { world, admin, stackOf, declare, applied, writes, takePath, takeName };
}
