import { defineFunction, InvalidArgument } from "../../framework";
import { computed, required } from "../../schema";
import { ACCESS_LEVELS } from "../attributes";

const LEVELS = ACCESS_LEVELS.members.map(({ value, name }) => ({ value, word: name.toLowerCase() }));
const WORDS = LEVELS.map(({ value, word }) => `${word} (${value})`).join(", ");
const VALUES = LEVELS.map(({ value, word }) => `${value} (${word})`).join(", ");
const ANY_SPELLING = /[\s_-]+/g;

export const accessLevel = defineFunction({
  name: "access_level",
  summary: "The number of an access level",
  description:
    'Returns the number of the access level with this name: `access_level("maintainer")` is 40. ' +
    `The names are ${WORDS}. Case is ignored, and a space or a hyphen is read as an underscore.`,
  parameters: {
    name: required.string({ description: "The name of an access level, such as `maintainer`." }),
  },
  returns: computed.number({ description: "The number of the access level." }),
  call({ name }) {
    const word = name.trim().toLowerCase().replace(ANY_SPELLING, "_");
    const level = LEVELS.find((one) => one.word === word);
    if (level !== undefined) return level.value;
    throw new InvalidArgument(
      "name",
      `${JSON.stringify(name)} is not the name of an access level. The names are ${WORDS}.`,
    );
  },
});

export const accessLevelName = defineFunction({
  name: "access_level_name",
  summary: "The name of an access level",
  description:
    'Returns the name of the access level with this number: `access_level_name(40)` is `"maintainer"`. ' +
    `The access levels are ${VALUES}.`,
  parameters: {
    level: required.number({ description: "The number of an access level, such as `40`." }),
  },
  returns: computed.string({ description: "The name of the access level, in lower case." }),
  call({ level }) {
    const found = LEVELS.find(({ value }) => value === level);
    if (found !== undefined) return found.word;
    throw new InvalidArgument("level", `${level} is not an access level. The access levels are ${VALUES}.`);
  },
});
