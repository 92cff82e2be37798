import { type Condition, containing, where } from "../../store/selection";

/** Conditions on the state of a user; a filter that is false filters nothing. */
export const stateFilters = (input: {
  readonly active?: boolean | undefined;
  readonly blocked?: boolean | undefined;
}): readonly Condition[] => [
  ...(input.active === true ? [where("u.state = 'active'")] : []),
  ...(input.blocked === true ? [where("u.state = 'blocked'")] : []),
];

/** Users whose name, e-mail address or username contains a text. */
export const searchUsers = (text: string): Condition =>
  where(
    "u.name LIKE ? ESCAPE '\\' OR u.email LIKE ? ESCAPE '\\' OR u.username LIKE ? ESCAPE '\\'",
    ...Array<string>(3).fill(containing(text)),
  );
