import { defineFunction, InvalidArgument } from "../../framework";
import { computed, required } from "../../schema";

/** A number without leading zeros, and a key where the container has several objects of a type. */
const ID = /^[1-9][0-9]*(:.+)?$/s;

export const parseId = defineFunction({
  name: "parse_id",
  summary: "The parts of the id of a resource",
  description:
    'Returns the parts of the `id` of a resource: `parse_id("42:production")` is ' +
    '`{ container_id = "42", key = "production" }`. It reads no object: an id that no object has is parsed as well.',
  parameters: {
    id: required.string({ description: "The `id` attribute of a resource of this provider." }),
  },
  returns: computed.object(
    {
      container_id: computed.string({
        description:
          "The numeric id of the project or group, as a string that the attributes `project` and `group` take.",
      }),
      key: computed.string({
        description:
          "What follows the first colon: the name of an environment, an e-mail address or the number of a rule, for example. " +
          "Null for a type of which each project has exactly one object.",
      }),
    },
    { description: "The parts of the id." },
  ),
  call({ id }) {
    if (!ID.test(id)) {
      throw new InvalidArgument(
        "id",
        `${JSON.stringify(id)} is not the id of a resource. An id is the numeric id of a project or group, such as "42", ` +
          'followed by a colon and a key where there are several objects of the type: "42:production".',
      );
    }
    const colon = id.indexOf(":");
    return colon < 0
      ? { container_id: id, key: null }
      : { container_id: id.slice(0, colon), key: id.slice(colon + 1) };
  },
});
