// The functions that configurations can call, such as `provider::steward::access_level`. The functions send no requests.

import { defineFunction, type FunctionDefinition, InvalidArgument } from "../../framework";
import { computed, required } from "../../schema";
import { ACCESS_LEVELS } from "../define";

const LEVELS = ACCESS_LEVELS.members.map(({ value, name }) => ({ value, word: name.toLowerCase() }));
const WORDS = LEVELS.map(({ value, word }) => `${word} (${value})`).join(", ");
const VALUES = LEVELS.map(({ value, word }) => `${value} (${word})`).join(", ");
const ANY_SPELLING = /[\s_-]+/g;

const accessLevel = defineFunction({
  name: "access_level",
  summary: "The number of an access level",
  description:
    'Returns the number of the access level with this name: `access_level("maintainer")` is 40. ' +
    `The names are ${WORDS}. Case is ignored, and a space or a hyphen is read as an underscore.`,
  parameters: {
    name: required.string("The name of an access level, such as `maintainer`."),
  },
  returns: computed.number("The number of the access level."),
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

const accessLevelName = defineFunction({
  name: "access_level_name",
  summary: "The name of an access level",
  description:
    'Returns the name of the access level with this number: `access_level_name(40)` is `"maintainer"`. ' +
    `The access levels are ${VALUES}.`,
  parameters: {
    level: required.number("The number of an access level, such as `40`."),
  },
  returns: computed.string("The name of the access level, in lower case."),
  call({ level }) {
    const found = LEVELS.find(({ value }) => value === level);
    if (found !== undefined) return found.word;
    throw new InvalidArgument("level", `${level} is not an access level. The access levels are ${VALUES}.`);
  },
});

/**
 * Matches an id in the state: the number of the container without leading zeros. A colon and a key follow if a
 * container can have several objects of the type.
 */
const ID = /^[1-9][0-9]*(:.+)?$/s;

const parseId = defineFunction({
  name: "parse_id",
  summary: "The parts of the id of a resource",
  description:
    'Returns the parts of the `id` of a resource: `parse_id("42:production")` is ' +
    '`{ container_id = "42", key = "production" }`. The function reads no object, so it also accepts the id of ' +
    "an object that does not exist.",
  parameters: {
    id: required.string("The `id` attribute of a resource of this provider."),
  },
  returns: computed.object(
    {
      container_id: computed.string(
        "The numeric id of the project or group, as a string. The attributes `project` and `group` accept this string.",
      ),
      key: computed.string(
        "The part after the first colon, such as the name of an environment, an e-mail address or the number of a " +
          "rule. " +
          "Null if each project has exactly one object of the type.",
      ),
    },
    "The parts of the id.",
  ),
  call({ id }) {
    if (!ID.test(id)) {
      throw new InvalidArgument(
        "id",
        `${JSON.stringify(id)} is not the id of a resource. An id is the numeric id of a project or group, such as "42". ` +
          'If a project has several objects of the type, a colon and a key follow: "42:production".',
      );
    }
    const colon = id.indexOf(":");
    return colon < 0
      ? { container_id: id, key: null }
      : { container_id: id.slice(0, colon), key: id.slice(colon + 1) };
  },
});

/** The functions of the provider, for expressions. */
export const FUNCTIONS: readonly FunctionDefinition[] = [accessLevel, accessLevelName, parseId];
