import { type Condition, containing, where } from "../store/selection";

/** Conditions on the state of a user; a filter that is false filters nothing. */
export const stateFilters = (input: {
  readonly active?: boolean | undefined;
  readonly blocked?: boolean | undefined;
}): readonly Condition[] => [
  ...(input.active === true ? [where("u.state = 'active'")] : []),
  ...(input.blocked === true ? [where("u.state = 'blocked'")] : []),
];

/**
 * Users whose name or username contains a text, or whose e-mail address is it. Who may see addresses anyway finds users
 * by a part of them; nobody else does, as addresses could be read letter by letter that way.
 */
export const searchUsers =
  (seesAddresses: boolean) =>
  (text: string): Condition =>
    where(
      `u.name LIKE ? ESCAPE '\\' OR u.username LIKE ? ESCAPE '\\' OR ${
        seesAddresses ? "u.email LIKE ? ESCAPE '\\'" : "u.email = ?"
      }`,
      containing(text),
      containing(text),
      seesAddresses ? containing(text) : text,
    );
