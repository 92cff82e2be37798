import { CROWD } from "../../../src/provider/samples/company";
import type { ValueObject } from "../../../src/schema";
import { HABITS } from "../../../src/service/habits";
import { PROJECT, TOKEN } from "./world";

// Describes, for each habit of the live platform, when the habit affects an object and which errors it can cause.

/** A deviation from the specification (a habit): the test switches it on, or off if the service usually has it. */
export interface HabitCase {
  readonly title: string;
  /** The habits of the case. A case has several habits if none of them affects the resource. */
  readonly habits: readonly string[];
  readonly isOn: boolean;
  /** Returns true if the habit changes responses about objects of a type. */
  readonly concerns: (type: string) => boolean;
  /** The errors that the habit can cause: by code, with a pattern for the detail of the error. */
  readonly errors: Readonly<Record<string, RegExp>>;
  /** The project of the objects, with its full path and id. */
  readonly project: { readonly path: string; readonly id: number };
  /** The token of runs under the habit. If undefined, the runs use the token of the sample. */
  readonly token: string | undefined;
  /** The application settings while the habit is on, and after it is off again. */
  readonly settings: readonly [on: object, off: object] | undefined;
  /** Returns the attributes of the declaration that the habit needs. */
  readonly config: (type: string) => ValueObject;
  /** Returns the attributes that the update in place changes. */
  readonly changes: (type: string) => ValueObject;
  /** True if the case needs a service whose lists have more than one page. */
  readonly isCrowded: boolean;
}

/** The projects in which objects are created. */
export const PLACES = {
  web: { path: "acme/web", id: PROJECT.web },
  former: { path: "acme/storefront", id: PROJECT.web },
  unseen: { path: "acme/shared", id: 8 },
  /** The allowlist of this project is one entry short of a full page. */
  listed: { path: "acme/listed", id: 15 },
} as const;

const isInvitation = (type: string): boolean => type.endsWith("_invitation");
const isAllowlist = (type: string): boolean => type.startsWith("steward_job_token_allowlist");
const isEnvironment = (type: string): boolean => type === "steward_protected_environment";
const isPages = (type: string): boolean => type === "steward_pages_settings";
const isScope = (type: string): boolean => type === "steward_job_token_scope";

/** The number of records on a page. */
export const PAGE = 100;

/** The ids of projects for an allowlist. These entries and the project itself are one entry more than a page. */
const FULL = Array.from({ length: PAGE }, (_, index) => String(CROWD.project(index).id));

type Circumstances = Partial<Omit<HabitCase, "title" | "habits" | "isOn">>;

const UPPER_CASE: Circumstances = {
  concerns: isInvitation,
  config: (type) => (isInvitation(type) ? { email: "Ada+Reviews@Example.com" } : {}),
};
const LEVEL_25: Circumstances = {
  concerns: isInvitation,
  config: (type) => (isInvitation(type) ? { access_level: 25, member_role_id: null } : {}),
  changes: () => ({ access_level: 20 }),
};
/** The attributes of objects that come first on the second page of their list. */
const ON_SECOND_PAGE: Readonly<Record<string, ValueObject>> = {
  steward_job_token_allowlist: { project: PLACES.listed.path, target_projects: FULL, target_groups: [] },
  steward_job_token_allowlist_project: { target_project: CROWD.project(PAGE).path },
  steward_job_token_allowlist_group: { target_group: CROWD.group(PAGE).path },
};
const CROWDED: Circumstances = {
  isCrowded: true,
  concerns: (type) => !isScope(type) && !isPages(type),
  config: (type) => ON_SECOND_PAGE[type] ?? {},
  changes: (type) => (type === "steward_job_token_allowlist" ? { target_projects: FULL.slice(1) } : {}),
};
const OF_SETTINGS = (on: object, off: object): Circumstances => ({ settings: [on, off] });

const CIRCUMSTANCES: Readonly<Record<string, Circumstances>> = {
  "exact-addresses": UPPER_CASE,
  "security-manager": LEVEL_25,
  "without security-manager": {
    ...LEVEL_25,
    errors: { bad_request: /access_level/ },
  },
  "without exact-addresses": UPPER_CASE,
  "allowlist-refusals": { concerns: isAllowlist },
  "invitation-refusals": { concerns: isInvitation },
  "expiry-dates": { concerns: isInvitation },
  "lower-case-invitations": UPPER_CASE,
  "short-invitation-updates": { concerns: isInvitation },
  "primary-domain-urls": { concerns: isPages },
  "odd-refusals": { concerns: (type) => isInvitation(type) || isEnvironment(type) },
  "unseen-allowlist-entries": {
    concerns: isAllowlist,
    project: PLACES.unseen,
    errors: { entry_not_removed: /token/ },
  },
  "refused-moved-writes": { project: PLACES.former },
  "maintainers-change-pages": { concerns: isPages, token: TOKEN.maintainer },
  "no-totals": CROWDED,
  "shifting-lists": CROWDED,
  // The service reads this habit only at its start, so these tests cannot switch it.
  "public-template-word": { concerns: () => false },
  "admin-mode": {
    token: TOKEN.administrator,
    ...OF_SETTINGS({ admin_mode: true }, { admin_mode: false }),
    errors: {
      rights_lost: /admin_mode/,
      reference_not_found: /token/,
      import_not_found: /token/,
      not_found: /token/,
    },
  },
  "sign-in-page": {
    errors: {
      unexpected_answer: /HTML|html/,
    },
  },
  "scheduled-deletion": OF_SETTINGS({ deletion_adjourned_period: 7 }, { deletion_adjourned_period: 0 }),
  "html-not-found": { errors: { unexpected_answer: /with 404/ } },
  "dropped-entries": {
    concerns: isEnvironment,
    errors: {
      inconsistent_result: /approval_rules/,
    },
  },
  "enforced-job-token-limit": {
    concerns: (type) => isScope(type) || isAllowlist(type),
    ...OF_SETTINGS(
      { enforce_ci_inbound_job_token_scope_enabled: true },
      { enforce_ci_inbound_job_token_scope_enabled: false },
    ),
    errors: { bad_request: /enforce/ },
  },
};

const NO_CIRCUMSTANCES = {
  concerns: (): boolean => true,
  errors: {},
  project: PLACES.web,
  token: undefined,
  settings: undefined,
  config: () => ({}),
  changes: () => ({}),
  isCrowded: false,
} as const;

const SINGLE_CASES: readonly HabitCase[] = HABITS.flatMap(({ name, on }) => {
  const make = (title: string, isOn: boolean): HabitCase => ({
    ...NO_CIRCUMSTANCES,
    ...CIRCUMSTANCES[title],
    title,
    habits: [name],
    isOn,
  });
  return on === "always" ? [make(name, true), make(`without ${name}`, false)] : [make(name, true)];
});

/** The habits that are on unless a test switches them off. */
export const USUAL: ReadonlySet<string> = new Set(
  HABITS.flatMap(({ name, on }) => (on === "always" ? name : [])),
);

/**
 * Returns the cases of a resource. Each habit that affects the resource is on in one case. Each habit that is usually
 * on is off in another case. All other habits are on at the same time in one case.
 */
export function habitCasesOf(type: string): readonly HabitCase[] {
  const others = SINGLE_CASES.filter(({ concerns, isOn }) => isOn && !concerns(type));
  const together: HabitCase = {
    ...NO_CIRCUMSTANCES,
    title: "habits of other resources",
    habits: others.flatMap(({ habits }) => habits),
    isOn: true,
  };
  return [...SINGLE_CASES.filter(({ concerns }) => concerns(type)), together];
}
