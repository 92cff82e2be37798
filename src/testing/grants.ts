import type { AccessPlace, AccessReport } from "../engine";
import type { ServiceOfTest } from "./service-of-test";

type Found = Readonly<Record<string, unknown>>;

/**
 * Sends a request as the administrator of the service. Returns undefined for a missing object.
 * @throws Error if the service refuses the request
 */
async function find({ url, adminToken }: ServiceOfTest, path: string): Promise<Found | undefined> {
  // The embedded service has additional paths outside of the API.
  const answer = await fetch(`${url}${path.startsWith("/_steward/") ? "" : "/api/v4"}${path}`, {
    headers: { "PRIVATE-TOKEN": adminToken },
  });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`The service responded with ${answer.status} to GET ${path}.`);
  return (await answer.json()) as Found;
}

/** Sends a request like `find`, and treats a missing object as an error. */
async function getFrom(service: ServiceOfTest, path: string): Promise<unknown> {
  const found = await find(service, path);
  if (found === undefined) throw new Error(`The service responded with 404 to GET ${path}.`);
  return found;
}

/** A right of a user in a project, or the membership of a group. */
export type Grant = ProjectGrant | MemberGrant;

/** A right of a user in a project. */
export type ProjectGrant = {
  /** The username. */
  readonly user: string;
  /** The full path of the project, or its id. */
  readonly project: string | number;
} & (
  | { /** The environment that the user can deploy to. */ readonly deploy: string }
  | { /** The environment whose deployments the user can approve. */ readonly approve: string }
  | {
      /** The pattern of a container protection rule whose images the user can push. */ readonly push: string;
    }
  | {
      /** The pattern of a container protection rule whose images the user can delete. */ readonly delete: string;
    }
  | { readonly member: true }
);

/** The membership of a group, direct or inherited. */
export interface MemberGrant {
  readonly user: string;
  /** The full path of the group, or its id. */
  readonly group: string | number;
  readonly member: true;
}

/** Whether a user has the right, and the source of this result. */
export interface Granted {
  readonly isGranted: boolean;
  /** The source of the result, such as `the plan of environment production`. */
  readonly source: string;
}

/** The error if Steward can't decide whether the user has the right. */
export class GrantUnknownError extends Error {
  override readonly name = "GrantUnknownError";
}

/** The verb for each field of a grant, as reports and expectations print it. */
const ASKED = {
  deploy: { ability: "deploy", kind: "environment", verb: "deploy to" },
  approve: { ability: "approve", kind: "environment", verb: "approve deployments to" },
  push: { ability: "push_images", kind: "images", verb: "push images" },
  delete: { ability: "delete_images", kind: "images", verb: "delete images" },
} as const;

/** Returns the target of a grant: an object in the container, or membership of the container. */
function askedIn(grant: Grant): Pick<Question, "ability" | "target"> & { readonly what: string } {
  for (const [field, { ability, kind, verb }] of Object.entries(ASKED)) {
    const name = (grant as { readonly [field: string]: unknown })[field];
    if (typeof name === "string") return { ability, target: { kind, name }, what: `${verb} ${name} in` };
  }
  return { ability: "membership", target: undefined, what: "act as a member of" };
}

/** Returns a grant as a phrase for messages. */
export const sentenceOf = (grant: Grant): string =>
  `${askedIn(grant).what} ${"group" in grant ? `group ${grant.group}` : `project ${grant.project}`}`;

/** The right that an expectation asks about, in the words of an access report. */
interface Question {
  readonly user: { readonly id: number; readonly username: string };
  readonly kind: "project" | "group";
  readonly id: number;
  readonly path: string;
  readonly ability: "deploy" | "approve" | "push_images" | "delete_images" | "membership";
  /**
   * The kind and name of the object in the container, such as an environment. Undefined for a membership of the container
   * itself.
   */
  readonly target: { readonly kind: string; readonly name: string } | undefined;
}

/**
 * Decides whether a user has a right after a plan is applied. If the plan does not change the object of the
 * question, the function asks the live service.
 *
 * @param report the whole access report of the plan; undefined for a question about the live service
 * @throws GrantUnknownError if the report could not count everything, or if the grant names a missing object or an
 * administrator
 */
export async function grantedBy(
  report: AccessReport | undefined,
  service: ServiceOfTest,
  grant: Grant,
): Promise<Granted> {
  const question = await questionOf(service, grant);
  const here = report?.places.filter(({ container }) => isContainer(container, question));
  if (here !== undefined) await requireDeclared(here, service, question);
  const known = here && inReport(here, report!.notCounted, question);
  return known ?? { isGranted: await isLive(service, question), source: "the live service" };
}

async function questionOf(service: ServiceOfTest, grant: Grant): Promise<Question> {
  const user = await userNamed(service, grant.user);
  const [kind, name] =
    "group" in grant ? (["group", grant.group] as const) : (["project", grant.project] as const);
  const container = await find(service, `/${kind}s/${encodeURIComponent(String(name))}`);
  if (container === undefined) throw unknown(`the service has no ${kind} ${name}`);
  const path = String(container["path_with_namespace"] ?? container["full_path"]);
  const { ability, target } = askedIn(grant);
  return { user, kind, id: Number(container["id"]), path, ability, target };
}

/**
 * Refuses an environment without a declaration. Every user who can run a pipeline can deploy to an undeclared
 * environment, so a mistyped name would give a meaningless result. A question without a plan is about live objects,
 * and needs no check.
 */
async function requireDeclared(here: AccessPlace[], service: ServiceOfTest, question: Question) {
  const { target, id } = question;
  if (target?.kind !== "environment" || here.some((place) => isTarget(place, target))) return;
  const path = `/projects/${id}/protected_environments`;
  if ((await find(service, `${path}/${encodeURIComponent(target.name)}`)) !== undefined) return;
  const live = (await getFrom(service, path)) as readonly { readonly name: string }[];
  const names = live.map(({ name }) => name).join(", ") || "none";
  throw unknown(
    `nothing declares ${describe(target)} in ${describeContainer(question)}: no plan has it, and the service protects ${names}. Check the name`,
  );
}

/**
 * Returns the user with this name. Administrators are refused, because rules do not limit administrators, and reports
 * do not list them.
 */
async function userNamed(service: ServiceOfTest, username: string): Promise<Question["user"]> {
  const [found] = (await getFrom(service, `/users?username=${encodeURIComponent(username)}`)) as readonly {
    readonly id: number;
    readonly username: string;
  }[];
  if (found === undefined) throw unknown(`the service has no user ${username}`);
  const { is_admin } = (await getFrom(service, `/users/${found.id}`)) as { readonly is_admin?: boolean };
  if (is_admin === true)
    throw unknown(`${username} is an administrator, who may do it under any rules. Ask about another user`);
  return found;
}

/**
 * Returns the result that the report's entries about the container show, such as entries about environments. Returns
 * undefined if these entries do not decide the question.
 */
function inReport(here: AccessPlace[], notCounted: AccessReport["notCounted"], question: Question) {
  const targeted = placesOf(question, here);
  const [found] = targeted.flatMap(
    ({ abilities }) => abilities.find(({ name }) => name === question.ability) ?? [],
  );
  const source = `the plan of ${question.target ? describe(question.target) : describeContainer(question)}`;
  const has = found?.after.some(({ kind, name }) => kind === "user" && name === question.user.username);
  if (has) return { isGranted: true, source };
  // The report lists only members that the plan adds. Only the service knows whether another user is a member.
  if (question.ability === "membership") return undefined;
  const unread = here.filter(({ target, abilities }) => target === undefined && abilities.length === 0);
  const uncounted = [...notCounted, ...[...targeted, ...unread].flatMap((place) => place.notCounted)];
  if (uncounted.length > 0) {
    const reasons = [...new Set(uncounted.map(({ what, why }) => `${what} (${why})`))];
    throw unknown(`the plan does not count ${reasons.join(", ")}`);
  }
  return found === undefined ? undefined : { isGranted: false, source };
}

/** Returns the places that the question is about. All environments without a protection share one place. */
function placesOf({ target }: Question, here: AccessPlace[]): AccessPlace[] {
  const named = here.filter((place) => isTarget(place, target));
  if (named.length > 0 || target?.kind !== "environment") return named;
  return here.filter((place) => place.target?.kind === "environments");
}

const isTarget = (place: AccessPlace, target: Question["target"]): boolean =>
  place.target?.kind === target?.kind && place.target?.name === target?.name;

const isContainer = ({ kind, name }: AccessPlace["container"], question: Question): boolean =>
  kind === question.kind && [question.path, String(question.id)].includes(name);

/** Returns whether the user has the right on the service now. */
async function isLive(service: ServiceOfTest, question: Question): Promise<boolean> {
  const { kind, id, user, ability, target } = question;
  if (ability === "membership") {
    const member = await find(service, `/${kind}s/${id}/members/all/${user.id}`);
    return member !== undefined && Number(member["access_level"]) > 0;
  }
  if (ability === "push_images" || ability === "delete_images")
    throw unknown(
      `the plan declares no container protection rule ${JSON.stringify(target!.name)} in ${describeContainer(question)}, and ` +
        "the API does not show who can do it",
    );
  const path = `/_steward/projects/${id}/environments/${encodeURIComponent(target!.name)}/access?user_id=${user.id}`;
  const access = await find(service, path);
  if (access === undefined) throw unknown("only the embedded service shows who can deploy and approve");
  return access[ability === "deploy" ? "can_deploy" : "can_approve"] === true;
}

const describe = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind} ${name}`;

const describeContainer = ({ kind, path }: Question): string => `${kind} ${path}`;

const unknown = (why: string): GrantUnknownError =>
  new GrantUnknownError(`Steward can't determine whether it is granted: ${why}.`);
