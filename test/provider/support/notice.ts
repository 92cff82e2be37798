import {
  defineResource,
  projectAttribute,
  type ResourceDefinition,
  type Scope,
} from "../../../src/provider/define";
import { computed, configOnly, managed, optional, optionalComputed, required } from "../../../src/schema";

/** A notice on the page of a project. A notice is an object of a service that exists only in tests. */
export interface Notice {
  title: string;
  text: string;
  colour: string | null;
  channel: string | null;
  tags: readonly string[];
  views: number;
}

/**
 * The attributes of a notice. The attributes cover each value of `presence`, which defines the meaning of an omitted
 * attribute.
 */
const attributes = {
  project: projectAttribute("on whose page the notice stands"),
  title: required.string({ description: "The title.", replaces: true }),
  text: required.string({ description: "The text." }),
  colour: optional.string({ description: "Left out, the notice shall have none." }),
  channel: optionalComputed.string({ description: "Left out, the service's own choice stays." }),
  tags: managed.setOfStrings({ description: "All tags; left out, they are not managed." }),
  reason: configOnly.string({ description: "Said once on creation, and never given back.", replaces: true }),
  keep_on_destroy: configOnly.bool({ description: "Whether destroying leaves the notice." }),
  views: computed.number({ description: "How often it was seen.", changesOnUpdate: true }),
};

/**
 * Returns the resource for notices on a board. `board` is used instead of a service. `writes` gets a line for each
 * write.
 */
export function noticeOn(board: Map<string, Notice>, writes: string[]): ResourceDefinition {
  const found = (notice: Notice) => ({ ...notice });
  return defineResource({
    type: "notice",
    version: 0,
    description: "A notice.",
    attributes,
    container: "project",
    access: { grants: "nothing", strictness: { attributes: {} } },
    feature: "notices",
    key: { name: "title", example: "moving", attributes: ["title"], of: ({ title }) => title },
    async create(_: Scope, { title, text, colour, channel, tags }) {
      writes.push("create");
      const notice = { title, text, colour, channel: channel ?? "general", tags: tags ?? [], views: 0 };
      board.set(title, notice);
      return found(notice);
    },
    async read(_: Scope, title) {
      const notice = board.get(title);
      return notice && found(notice);
    },
    async update(_: Scope, { text, colour, channel, tags }, observed) {
      writes.push("update");
      const notice: Notice = {
        title: observed.title,
        text,
        colour,
        channel: channel ?? observed.channel,
        tags: tags ?? observed.tags ?? [],
        views: (observed.views ?? 0) + 1,
      };
      board.set(notice.title, notice);
      return found(notice);
    },
    async delete(_: Scope, title, { keep_on_destroy }) {
      writes.push("delete");
      if (keep_on_destroy !== true) board.delete(title);
    },
    list: async () => [...board.values()].map(found),
  }) as unknown as ResourceDefinition;
}
