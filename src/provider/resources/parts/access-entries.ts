import type { ApprovalRule, DeployAccessLevel } from "../../../api";
import { type Diagnostic, error, formatPath } from "../../../diagnostics";
import { type AttributeType, elementStep, type Reference } from "../../../schema";
import { readLevel } from "./read-fields";

/** A deploy access level or approval rule as the service returns it. The entry names exactly one user, group or role. */
type LiveEntry = Omit<DeployAccessLevel, "access_level_description"> &
  Partial<Pick<ApprovalRule, "required_approvals">>;

/** A declared deploy access level or approval rule. Exactly one of user, group and level is not null. */
export interface DeclaredEntry {
  readonly user: Reference | null;
  readonly group: Reference | null;
  readonly access_level: number | null;
  readonly group_inheritance_type: number | null;
  readonly required_approvals?: number | null;
}

/**
 * Converts a record of the service to the attributes of an element. Users and groups are references with only an
 * id.
 */
export const fromRecord = ({ user_id, group_id, access_level, group_inheritance_type }: LiveEntry) => ({
  user: user_id === null ? null : { id: user_id },
  group: group_id === null ? null : { id: group_id },
  // For a record with a user or a group, the service also returns a level. The level of such a record only repeats the
  // role of the user or group.
  access_level:
    user_id === null && group_id === null && access_level !== null ? readLevel(access_level) : null,
  // For a record with a user or a level, the value of this field has no meaning.
  group_inheritance_type: group_id === null ? 0 : (group_inheritance_type ?? 0),
});

/** Converts a declared entry to an element of a request. */
export const toElement = ({
  user,
  group,
  access_level,
  group_inheritance_type,
  required_approvals,
}: DeclaredEntry) => ({
  ...subjectOf({ user, group, access_level }),
  ...(group && group_inheritance_type !== null && { group_inheritance_type }),
  ...(required_approvals != null && { required_approvals }),
});

type Subject = Pick<DeclaredEntry, "user" | "group" | "access_level">;

/** Returns the API field that identifies who has access. */
function subjectOf({ user, group, access_level }: Subject) {
  if (user !== null) return { user_id: user.id };
  if (group !== null) return { group_id: group.id };
  return access_level === null ? {} : { access_level };
}

function nameOf({ user, group, access_level }: Subject): string {
  if (user !== null) return `user ${user.id}`;
  return group === null ? `level ${access_level}` : `group ${group.id}`;
}

/**
 * An element of an update request, and the declared entry that it comes from. Without an `id`, the element adds a
 * record. With an `id`, the element changes or deletes the record with this id.
 */
interface EntryChange {
  readonly element: ReturnType<typeof toElement> & { readonly id?: number; readonly _destroy?: true };
  readonly declared?: DeclaredEntry;
}

/**
 * Returns the changes that turn the live records into the wanted entries. Records and entries are matched by user,
 * group or level. The order of the entries makes no difference, and a changed number of approvals changes only one
 * record (specification, "Protected environments", rule 3).
 */
export function changes(live: readonly LiveEntry[], wanted: readonly DeclaredEntry[]): EntryChange[] {
  const named = live.map((record) => ({ record, name: nameOf(fromRecord(record)) }));
  // The service may have several records for one user, group or level. The last of these records is matched, and the
  // other records are deleted.
  const last = new Map(named.map(({ name, record }) => [name, record]));
  const unmatched = new Map(last);
  const sent = wanted.flatMap((declared): EntryChange[] => {
    const record = unmatched.get(nameOf(declared));
    if (record === undefined) return [{ element: toElement(declared), declared }];
    unmatched.delete(nameOf(declared));
    if (isSame(record, declared)) return [];
    return [{ element: { id: record.id, ...toElement(declared) }, declared }];
  });
  const surplus = named.filter(
    ({ name, record }) => unmatched.get(name) === record || last.get(name) !== record,
  );
  return [
    ...sent,
    ...surplus.map(({ record: { id } }): EntryChange => ({ element: { id, _destroy: true } })),
  ];
}

const isSame = (record: LiveEntry, declared: DeclaredEntry): boolean => {
  const { group_inheritance_type: live } = fromRecord(record);
  const isSameInheritance = declared.group === null || (declared.group_inheritance_type ?? live) === live;
  const isSameCount =
    (declared.required_approvals ?? record.required_approvals) === record.required_approvals;
  return isSameInheritance && isSameCount;
};

/**
 * Returns an error for each element that repeats the user, group or level of an earlier element. The service would
 * keep only one element for each user, group or level.
 */
export function duplicateSubjects(
  attribute: string,
  type: AttributeType,
  elements: readonly Subject[],
): Diagnostic[] {
  if (elements.length < 2) return [];
  const path = (index: number) => [attribute, elementStep(type, elements[index], index)];
  const seen = new Map<string, number>();
  return elements.flatMap((element, index) => {
    const name = nameOf(element);
    const first = seen.get(name);
    seen.set(name, first ?? index);
    if (first === undefined) return [];
    return error({
      code: "duplicate_reference",
      summary: "Duplicate entry",
      detail: `\`${formatPath(path(first))}\` and \`${formatPath(path(index))}\` both name the ${name}. Remove one of them.`,
      attribute: path(index),
    });
  });
}
