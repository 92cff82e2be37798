import { type Diagnostic, error, formatPath } from "../../../diagnostics";
import { type AttributeType, elementStep, type Reference } from "../../../schema";

/** The user, group or role that a deploy access level or an approval rule names: exactly one of the three is not null. */
export interface Subject {
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level: number | null;
  readonly group_inheritance_type?: number | null;
}

/** A record of the service. */
interface LiveEntry extends Subject {
  readonly id: number;
  readonly required_approvals?: number | null;
}

/** An element of a request: its subject and its settings. */
export interface Entry {
  readonly user_id?: number;
  readonly group_id?: number;
  readonly access_level?: number;
  readonly group_inheritance_type?: number;
  readonly required_approvals?: number;
}

/** An element of an update: a new entry, a change of the record `id`, or its deletion. */
export type EntryChange = Entry & { readonly id?: number; readonly _destroy?: true };

/** Whether inherited members of a group count; 0 for users and levels, where the record's value has no meaning. */
const inheritanceOf = ({
  group_id,
  group_inheritance_type,
}: Pick<LiveEntry, "group_id" | "group_inheritance_type">): number =>
  group_id === null ? 0 : (group_inheritance_type ?? 0);

/** A record as the state has it, with ids instead of names. */
export const fromRecord = (record: Subject) => ({
  user: record.user_id === null ? null : { id: record.user_id },
  group: record.group_id === null ? null : { id: record.group_id },
  // The service returns a level for entries of users and groups too, where it only repeats their role.
  access_level: record.user_id === null && record.group_id === null ? record.access_level : null,
  group_inheritance_type: inheritanceOf(record),
});

/** The part of an element that identifies its subject. */
export function subjectOf({ user_id, group_id, access_level }: Subject): Entry {
  if (user_id !== null) return { user_id };
  if (group_id !== null) return { group_id };
  return access_level === null ? {} : { access_level };
}

const nameOf = ({ user_id, group_id, access_level }: Entry): string =>
  user_id !== undefined
    ? `user ${user_id}`
    : group_id !== undefined
      ? `group ${group_id}`
      : `level ${access_level}`;

export const isSameSubject = (one: Entry, other: Entry): boolean => nameOf(one) === nameOf(other);

/**
 * The changes that turn the live records into the wanted entries. Records are matched by subject, so that the order is
 * irrelevant and one changed count changes one record (specification, "Protected environments", rule 3).
 */
export function changes(live: readonly LiveEntry[], wanted: readonly Entry[]): EntryChange[] {
  // The service may hold several records of one subject: the last one is matched, the others are deleted.
  const last = new Map(live.map((record) => [nameOf(subjectOf(record)), record]));
  const unmatched = new Map(last);
  const sent = wanted.flatMap((entry): EntryChange[] => {
    const record = unmatched.get(nameOf(entry));
    if (record === undefined) return [entry];
    unmatched.delete(nameOf(entry));
    return isSame(record, entry) ? [] : [{ id: record.id, ...entry }];
  });
  const surplus = live.filter((record) => {
    const name = nameOf(subjectOf(record));
    return unmatched.get(name) === record || last.get(name) !== record;
  });
  return [...sent, ...surplus.map(({ id }): EntryChange => ({ id, _destroy: true }))];
}

const isSame = (record: LiveEntry, entry: Entry): boolean =>
  (entry.group_inheritance_type ?? inheritanceOf(record)) === inheritanceOf(record) &&
  (entry.required_approvals ?? record.required_approvals) === record.required_approvals;

interface NamedSubject {
  readonly user: Reference | null;
  readonly group: Reference | null;
  readonly access_level: number | null;
}

/** A deploy access level or an approval rule as it is declared. */
export interface DeclaredEntry extends NamedSubject {
  readonly group_inheritance_type: number | null;
  readonly required_approvals?: number | null;
}

/** An error for each element whose user, group or level an earlier one names: the service would keep only one of them. */
export function duplicateSubjects(
  attribute: string,
  type: AttributeType,
  elements: readonly NamedSubject[],
): Diagnostic[] {
  if (elements.length < 2) return [];
  const path = (index: number) => [attribute, elementStep(type, elements[index], index)];
  const seen = new Map<string, number>();
  return elements.flatMap(({ user, group, access_level }, index) => {
    const name = nameOf(subjectOf({ user_id: user?.id ?? null, group_id: group?.id ?? null, access_level }));
    const first = seen.get(name);
    seen.set(name, first ?? index);
    if (first === undefined) return [];
    return error({
      code: "duplicate_reference",
      summary: "Duplicate entry",
      detail: `${formatPath(path(first))} and ${formatPath(path(index))} both name the ${name}. Remove one of them.`,
      attribute: path(index),
    });
  });
}
