import { CROWD } from "../../../src/provider/samples/company";
import type { ValueObject } from "../../../src/schema";
import { HABITS } from "../../../src/service/habits";
import { PROJECT, TOKEN } from "./world";

// The circumstances in which each habit of the live platform matters to the life of an object, and the errors that it may cause.

/** A habit that is on, or one that is usually on and is off. */
export interface HabitCase {
  readonly title: string;
  /** Several habits if none of them concerns the resource. */
  readonly habits: readonly string[];
  readonly isOn: boolean;
  /** Whether the habit changes responses about objects of a type. */
  readonly concerns: (type: string) => boolean;
  /** The errors that the habit may cause: by code, what their detail names. */
  readonly errors: Readonly<Record<string, RegExp>>;
  /** The full path and id of the project of the objects. */
  readonly project: { readonly path: string; readonly id: number };
  /** The token of all runs under the habit; that of the sample if absent. */
  readonly token: string | undefined;
  /** Application settings while the habit is on, and while it is off. */
  readonly settings: readonly [on: object, off: object] | undefined;
  /** Attributes of the declaration that the habit is about. */
  readonly config: (type: string) => ValueObject;
  /** Attributes of the declaration after the change in place. */
  readonly changes: (type: string) => ValueObject;
  /** The service with more than one page of each list. */
  readonly isCrowded: boolean;
}

/** Projects with objects of lives. */
export const PLACES = {
  web: { path: "acme/web", id: PROJECT.web },
  former: { path: "acme/storefront", id: PROJECT.web },
  unseen: { path: "acme/shared", id: 8 },
  /** Its allowlist has all entries of a page but one. */
  listed: { path: "acme/listed", id: 15 },
} as const;

const isInvitation = (type: string): boolean => type.endsWith("_invitation");
const isAllowlist = (type: string): boolean => type.startsWith("steward_job_token_allowlist");
const isEnvironment = (type: string): boolean => type === "steward_protected_environment";
const isPages = (type: string): boolean => type === "steward_pages_settings";
const isScope = (type: string): boolean => type === "steward_job_token_scope";

/** Records of a page. */
export const PAGE = 100;

/** Ids of projects: with the project itself they fill one page and begin another. */
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
/** The attributes of an object that is the first of the second page of its list. */
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
  // Read when the service starts.
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

/** The habits that are on where nothing switches them. */
export const USUAL: ReadonlySet<string> = new Set(
  HABITS.flatMap(({ name, on }) => (on === "always" ? name : [])),
);

/** Each habit switched on, and each habit that is always on switched off. The habits that do not concern a type are one case. */
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
