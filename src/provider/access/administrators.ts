import type { AccessRule } from "../../framework";
import { ADMINISTRATOR } from "../roles";
import type { Ability, Protection } from "./environment-rules";

const ABILITIES: readonly Ability[] = ["deploy", "approve"];

/**
 * Entries that name the administrators of the instance. They are not counted by person, because the report can't tell who they
 * are: the level stands for them.
 */
export const administratorRules = (
  before: Protection | undefined,
  after: Protection | undefined,
): AccessRule[] =>
  ABILITIES.flatMap((ability) => {
    const [was, is] = [before, after].map((side) => namesAdministrators(side, ability));
    const name = `administrators named to ${ability}`;
    return was === is ? [] : [{ name, before: namedBy(was!), after: namedBy(is!) }];
  });

const namesAdministrators = (protection: Protection | undefined, ability: Ability): boolean =>
  protection?.[ability].some(({ level }) => level === ADMINISTRATOR) ?? false;

const namedBy = (named: boolean): string => (named ? `level ${ADMINISTRATOR}, not counted by person` : "no");
