import type { Client, ProtectedEnvironment, RecordList } from "../../../api";
import { DiagnosticError, type DiagnosticPath, error } from "../../../diagnostics";
import { ReferenceNotFound, type Resolution } from "../../../framework";
import {
  computed,
  optional,
  type ReferenceKind,
  required,
  type Value,
  type ValueObject,
} from "../../../schema";
import type { Collection, ContainerKind, DataScope } from "../../define";
import { isGone, orNothing } from "../../failure-of";
import { operationsOn, pendingInvitations } from "../../resources/parts/invitation-status";

/** The project to read. */
export const projectArgument = required.reference(
  "project",
  "The project, by its numeric id or its full path.",
);

/** The declared filters, by their names in the API. */
export const filtersIn = <F>(config: ValueObject, ...names: readonly (string & keyof F)[]): F =>
  Object.fromEntries(
    names.map((name): [string, Value] => [name, config[name] ?? null]).filter(([, value]) => value !== null),
  ) as F;

/**
 * Every record of a list of a project or group.
 *
 * @throws ReferenceNotFound if the project or group does not exist
 */
export async function recordsOf<T>(kind: ReferenceKind, name: Value, list: RecordList<T>): Promise<T[]> {
  return readOrFail(kind, name, list.toArray());
}

/** @throws ReferenceNotFound if the project or group that is read from does not exist */
export async function readOrFail<T>(kind: ReferenceKind, name: Value, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (problem) {
    if (isGone(problem)) throw new ReferenceNotFound(kind, String(name), [kind]);
    throw problem;
  }
}

/**
 * Every record of a collection of a project or group, from the cache that resources of the same run use.
 *
 * @throws ReferenceNotFound if the project or group does not exist
 */
export async function sharedRecords<K, T>(
  scope: DataScope,
  kind: ContainerKind,
  config: ValueObject,
  collection: Collection<K, T>,
): Promise<T[]> {
  const name = config[kind] ?? null;
  const reading = scope.collection(await scope.idOf(kind, name), collection).readWhole();
  return [...(await readOrFail(kind, name, reading)).values()];
}

/**
 * One record of a project. If it is missing, the project itself may be missing.
 *
 * @throws ReferenceNotFound if the project does not exist, NotThere if only the record does not
 */
export async function recordOf<T>(
  api: Client,
  project: Value,
  reading: Resolution<T | undefined>,
  missing: NotThere,
): Promise<T> {
  const record = await orNothing(reading);
  if (record !== undefined) return record;
  const isProject = (await orNothing(api.projects.get(String(project)))) !== undefined;
  throw isProject ? missing : new ReferenceNotFound("project", String(project), ["project"]);
}

/** The object that a data source reads does not exist; `detail` says what is missing and how to fix it. */
export class NotThere extends DiagnosticError {
  constructor(detail: string, attribute: DiagnosticPath) {
    super(error({ code: "record_not_found", summary: "Object not found", detail, attribute }));
  }
}

const record = {
  id: computed.number("The numeric id of the record."),
  access_level: computed.number(
    "All users with this role: `30` (Developer), `40` (Maintainer) or `60` (Admin). Null if the record names a user or " +
      "a group, unless the service returns their role.",
  ),
  access_level_description: computed.string("The service's description of the user, group or role."),
  user_id: computed.number("The numeric id of the user; null if the record names none."),
  group_id: computed.number("The numeric id of the group; null if the record names none."),
  group_inheritance_type: computed.number(
    "For a group: `0` (direct members only) or `1` (inherited members too).",
  ),
};

/** The attributes of a protected environment other than its name, as the API returns them. */
export const environmentFields = {
  deploy_access_levels: computed.listOf(record, "Who may deploy to the environment."),
  approval_rules: computed.listOf(
    {
      ...record,
      required_approvals: computed.number("The number of approvals that the rule requires."),
    },
    "Who must approve a deployment. Empty if no approval is required.",
  ),
  required_approval_count: computed.number("The total number of approvals that a deployment requires."),
};

export const showEnvironment = ({
  deploy_access_levels,
  approval_rules,
  required_approval_count,
}: ProtectedEnvironment) => ({ deploy_access_levels, approval_rules, required_approval_count });

/** The attributes of both lists of invitations, without their project or group. */
export const invitationList = {
  query: optional.string("An e-mail address: only its invitation is listed. If omitted, all are listed."),
  invitations: computed.listOf(
    {
      id: computed.number("The numeric id of the invitation."),
      invite_email: computed.string("The e-mail address that was invited."),
      created_at: computed.string("When the invitation was created."),
      access_level: computed.number("The access level of the person: 0, 5, 10, 15, 20, 30, 40 or 50."),
      expires_at: computed.string(
        "When the invitation expires, in UTC; null if it does not. In the past for an expired invitation.",
      ),
      user_name: computed.string(
        "The name of the invited user, such as one who waits for an administrator's approval; " +
          "null if the person has no account.",
      ),
      created_by_name: computed.string("The name of the inviting user."),
    },
    "The pending invitations, without those of parent groups.",
  ),
};

/** The pending invitations of a project or group; a query sends its own request. */
export async function readInvitations(scope: DataScope, kind: ContainerKind, config: ValueObject) {
  const { query = null, [kind]: name = null } = config;
  const found =
    query === null
      ? await sharedRecords(scope, kind, config, pendingInvitations(kind))
      : await recordsOf(
          kind,
          name,
          operationsOn(scope.api, kind).list(String(name), { query: String(query) }),
        );
  return { ...config, invitations: found };
}
