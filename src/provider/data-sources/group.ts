import { ReferenceNotFound } from "../../framework";
import { computed, required } from "../../schema";
import { fromGroup } from "../containers";
import { defineDataSource } from "../define";
import { orNothing } from "../failure-of";

/** One group, by its id or path. */
export const group = defineDataSource({
  type: "group",
  description: "A group, by its numeric id or its full path.",
  attributes: {
    group: required.reference("group", "The group, by its numeric id or its full path."),
    id: computed.string("The numeric id as a string, to reference the group elsewhere."),
    name: computed.string("The name."),
    path: computed.string("The last part of the full path."),
    full_path: computed.string("The full path, such as `acme/platform`."),
    web_url: computed.string("The URL of the group's page."),
    parent: computed.string("The full path of the parent group; null for a top-level group."),
  },

  async read({ api, followed, noteFound }, config) {
    const name = String(config["group"]);
    const found = await orNothing(api.groups.get(name));
    if (found === undefined) throw new ReferenceNotFound("group", name, ["group"]);
    noteFound("group", fromGroup(found));
    followed("group", name, found.full_path);
    const { full_path } = found;
    return {
      group: config["group"] ?? null,
      id: String(found.id),
      name: found.name,
      path: found.path,
      full_path,
      web_url: found.web_url,
      parent: full_path.includes("/") ? full_path.slice(0, full_path.lastIndexOf("/")) : null,
    };
  },
});
