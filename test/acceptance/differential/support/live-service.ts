import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";
import { GROUP, MEMBER_ROLE, PROJECT, USER } from "../../../../src/provider/samples/company";
import { containerOf, SAMPLES } from "../../../provider/samples";

export const TOKEN = "differential-administrator-token";

/** Sends a request to a path below `/api/v4`, as the administrator. Returns the body of the response. */
export type ByHand = (method: string, path: string, body?: unknown) => Promise<unknown>;

type Company = { readonly [Name in "users" | "groups" | "projects"]: NonNullable<FixtureInput[Name]> };
/** The objects that a case adds to the company. */
export type MoreFixture = Partial<Company>;

/** The objects that samples and cases refer to, with the ids that the samples expect. */
const COMPANY: Company = {
  users: [
    { username: "ada", admin: true, token: TOKEN },
    { username: "devon", id: USER.devon },
    { username: "maya", email: "maya@acme.example" },
  ],
  groups: [
    {
      path: "acme",
      id: GROUP.acme,
      member_roles: [
        { id: MEMBER_ROLE.reviewer, name: "Reviewer", base_role: "developer" },
        { id: MEMBER_ROLE.releaser, name: "Releaser", base_role: "developer" },
      ],
      members: [
        { user: "ada", role: "owner" },
        { user: "maya", role: "maintainer" },
      ],
    },
    { path: "acme/platform", id: GROUP.platform, members: [{ user: "devon", role: "developer" }] },
    { path: "acme/approvers", id: GROUP.approvers, members: [{ user: "devon", role: "developer" }] },
  ],
  projects: [
    { path: "acme/tools", id: PROJECT.tools },
    { path: "acme/runner", id: PROJECT.runner },
    { path: "acme/docs", id: PROJECT.docs, visibility: "internal" },
  ],
};

/** Returns the project of a case, with every object that a declaration may refer to. */
const projectOf = (name: string): Company["projects"][number] => ({
  path: `acme/${name}`,
  members: [{ user: "devon", role: "developer" }],
  shared_with: [{ group: "acme/approvers", role: "developer" }],
  environments: ["production", "staging", "review"],
  pages: { domains: [domainOf(name)], deployments: [{}] },
});

/** Returns the Pages domain of a case's project. */
const domainOf = (name: string): string => `${name.replaceAll("_", "-")}.acme.example`;

/** Returns the fixture for these cases: the company, one project for each case, and the objects of the cases. */
export const fixtureFor = (
  cases: readonly { readonly name: string; readonly fixture?: MoreFixture }[],
): Company => ({
  users: [...COMPANY.users, ...cases.flatMap(({ fixture }) => fixture?.users ?? [])],
  groups: [...COMPANY.groups, ...cases.flatMap(({ fixture }) => fixture?.groups ?? [])],
  projects: [
    ...COMPANY.projects,
    ...cases.map(({ name }) => projectOf(name)),
    ...cases.flatMap(({ fixture }) => fixture?.projects ?? []),
  ],
});

/** The service of one engine. */
export class LiveService {
  readonly #service: Service;
  readonly #projects: readonly string[];
  readonly #groups: readonly string[];

  private constructor(service: Service, fixture: Company) {
    this.#service = service;
    this.#projects = fixture.projects.map(({ path }) => path);
    this.#groups = fixture.groups.map(({ path }) => path);
  }

  static async start(fixture: Company): Promise<LiveService> {
    return new LiveService(await startService({ fixture, recordRequests: false }), fixture);
  }

  get url(): string {
    return this.#service.url;
  }

  readonly byHand: ByHand = async (method, path, body) => {
    const response = await this.#fetch(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} by hand: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };

  /**
   * Creates and deletes a container rule. After that, this service and a second service with the same fixture give
   * different ids to new rules.
   */
  async numberFurther(): Promise<void> {
    const rules = "/projects/acme%2Ftools/registry/protection/repository/rules";
    const rule = { repository_path_pattern: "acme/tools/*", minimum_access_level_for_push: "owner" };
    const { id } = (await this.byHand("POST", rules, rule)) as { readonly id: number };
    await this.byHand("DELETE", `${rules}/${id}`);
  }

  /**
   * Returns all objects that a stack can declare, by the path of their project or group. The values come from plain
   * HTTP requests.
   */
  async everything(): Promise<Readonly<Record<string, unknown>>> {
    const places = [
      ...this.#projects.map((path) => [path, `/projects/${encodeURIComponent(path)}`, OF_PROJECTS] as const),
      ...this.#groups.map((path) => [path, `/groups/${encodeURIComponent(path)}`, OF_GROUPS] as const),
    ];
    const shown = places.map(async ([path, prefix, parts]) => {
      const answers = parts.map(async (part) => [part, await this.#shown(`${prefix}${part}`)] as const);
      return [path, Object.fromEntries(await Promise.all(answers))] as const;
    });
    return Object.fromEntries(await Promise.all(shown));
  }

  async #shown(path: string): Promise<unknown> {
    const response = await this.#fetch("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=100`);
    return response.ok ? response.json() : response.status;
  }

  #fetch(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: { "private-token": TOKEN, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  close = (): Promise<void> => this.#service.close();
}

/** Returns the endpoints that list the objects of the samples, as paths below a project or group. */
const shownOf = (kind: "project" | "group") => [
  ...new Set(
    Object.entries(SAMPLES).flatMap(([type, { leaves }]) =>
      containerOf(type) === kind ? Object.keys(leaves).map((path) => `/${path}`) : [],
    ),
  ),
];
const OF_PROJECTS = shownOf("project");
const OF_GROUPS = shownOf("group");
