import { type Diagnostic, error, formatPath } from "../../../diagnostics";
import { type AttributeType, elementStep, type Reference } from "../../../schema";

/** Whom a deploy access level or an approval rule names: exactly one of the three is not null. */
export interface Who {
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level: number | null;
  readonly group_inheritance_type?: number | null;
}

/** A record as the service keeps it. */
interface LiveEntry extends Who {
  readonly id: number;
  readonly required_approvals?: number | null;
}

/** An element as it is sent: whom it names, and what else it says of them. */
export interface Entry {
  readonly user_id?: number;
  readonly group_id?: number;
  readonly access_level?: number;
  readonly group_inheritance_type?: number;
  readonly required_approvals?: number;
}

/** An element of an update: a new entry, a change of the record `id`, or its deletion. */
export type EntryChange = Entry & { readonly id?: number; readonly _destroy?: true };

/** How inherited membership of a group counts; it means nothing beside a user or a level, whatever the record says. */
export const inheritanceOf = ({
  group_id,
  group_inheritance_type,
}: Pick<LiveEntry, "group_id" | "group_inheritance_type">): number =>
  group_id === null ? 0 : (group_inheritance_type ?? 0);

/** The part of an element that says whom it names. */
export function whoOf({ user_id, group_id, access_level }: Who): Entry {
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

export const isSameWho = (one: Entry, other: Entry): boolean => nameOf(one) === nameOf(other);

/**
 * What to send so that the live records become the wanted entries: matched by whom they name, so that order means
 * nothing and one changed count touches one record (specification, "Protected environments", rule 3).
 */
export function changes(live: readonly LiveEntry[], wanted: readonly Entry[]): EntryChange[] {
  const unmatched = new Map(live.map((record) => [nameOf(whoOf(record)), record]));
  const sent = wanted.flatMap((entry): EntryChange[] => {
    const record = unmatched.get(nameOf(entry));
    if (record === undefined) return [entry];
    unmatched.delete(nameOf(entry));
    return isSame(record, entry) ? [] : [{ id: record.id, ...entry }];
  });
  const surplus = live.filter(
    (record) => unmatched.get(nameOf(whoOf(record))) === record || isDoubled(record, live),
  );
  return [...sent, ...surplus.map(({ id }): EntryChange => ({ id, _destroy: true }))];
}

/** The service may hold two records for the same one; the last is matched, the others go. */
const isDoubled = (record: LiveEntry, live: readonly LiveEntry[]): boolean =>
  live.findLast((other) => nameOf(whoOf(other)) === nameOf(whoOf(record))) !== record;

const isSame = (record: LiveEntry, entry: Entry): boolean =>
  (entry.group_inheritance_type ?? inheritanceOf(record)) === inheritanceOf(record) &&
  (entry.required_approvals ?? record.required_approvals) === record.required_approvals;

interface Named {
  readonly user: Reference | null;
  readonly group: Reference | null;
  readonly access_level: number | null;
}

/** Two elements that name the same user, group or level are an error: one of them would be lost. */
export function sameWho(attribute: string, type: AttributeType, elements: readonly Named[]): Diagnostic[] {
  const path = (index: number) => [attribute, elementStep(type, elements[index], index)];
  const seen = new Map<string, number>();
  return elements.flatMap(({ user, group, access_level }, index) => {
    const name = nameOf(whoOf({ user_id: user?.id ?? null, group_id: group?.id ?? null, access_level }));
    const first = seen.get(name);
    seen.set(name, first ?? index);
    if (first === undefined) return [];
    return error({
      code: "duplicate_reference",
      summary: "The same thing named twice",
      detail: `${formatPath(path(first))} and ${formatPath(path(index))} both name the ${name}. Keep one of the two.`,
      attribute: path(index),
    });
  });
}
