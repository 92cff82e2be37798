import { type FixtureInput, type Service, startService } from "cdktf-provider-steward/testing";

export const TOKEN = "differential-administrator-token";

/** A request of the administrator, below `/api/v4`; answers with what the service says. */
export type ByHand = (method: string, path: string, body?: object) => Promise<unknown>;

type Company = { readonly [Name in "users" | "groups" | "projects"]: NonNullable<FixtureInput[Name]> };
/** What a case brings to the company. */
export type MoreFixture = Partial<Company>;

const COMPANY: Company = {
  users: [
    { username: "ada", admin: true, token: TOKEN },
    { username: "devon" },
    { username: "maya", email: "maya@acme.example" },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "ada", role: "owner" },
        { user: "maya", role: "maintainer" },
      ],
    },
    { path: "acme/platform", members: [{ user: "devon", role: "developer" }] },
    { path: "acme/approvers", members: [{ user: "devon", role: "developer" }] },
  ],
  projects: [{ path: "acme/tools" }, { path: "acme/runner" }, { path: "acme/docs", visibility: "internal" }],
};

/** The project of a case: with everything that a declaration may refer to. */
const projectOf = (name: string): Company["projects"][number] => ({
  path: `acme/${name}`,
  members: [{ user: "devon", role: "developer" }],
  shared_with: [{ group: "acme/approvers", role: "developer" }],
  environments: ["production", "staging", "review"],
  pages: { domains: [domainOf(name)], deployments: [{}] },
});

/** The domain of Pages that the project of a case has. */
export const domainOf = (name: string): string => `${name.replaceAll("_", "-")}.acme.example`;

/** The fixture for cases of these names: the company, a project for each, and what they bring themselves. */
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

/** A service that one of the engines works on. */
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

  /** Gives objects other numbers from here on than a service that began with the same fixture. */
  async numberFurther(): Promise<void> {
    const rules = "/projects/acme%2Ftools/registry/protection/repository/rules";
    const rule = { repository_path_pattern: "acme/tools/*", minimum_access_level_for_push: "owner" };
    const { id } = (await this.byHand("POST", rules, rule)) as { readonly id: number };
    await this.byHand("DELETE", `${rules}/${id}`);
  }

  /** Everything that can be declared, as the service shows it over plain HTTP, by the path of its project or group. */
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

  #fetch(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: { "private-token": TOKEN, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  close = (): Promise<void> => this.#service.close();
}

const OF_PROJECTS = [
  "/job_token_scope",
  "/job_token_scope/allowlist",
  "/job_token_scope/groups_allowlist",
  "/protected_environments",
  "/pages",
  "/registry/protection/repository/rules",
  "/invitations",
];
const OF_GROUPS = ["/invitations"];
