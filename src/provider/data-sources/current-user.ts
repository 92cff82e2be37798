import { computed } from "../../schema";
import { defineDataSource } from "../define";

/** The user that the token belongs to (specification, "Authenticated user"). */
export const currentUser = defineDataSource({
  type: "current_user",
  description: "The user that the token belongs to.",
  attributes: {
    id: computed.string("The numeric id, as a string."),
    username: computed.string("The username."),
    name: computed.string("The full name."),
    email: computed.string("The e-mail address."),
    is_admin: computed.bool("Whether the user is an administrator of the instance."),
    web_url: computed.string("The URL of the user's page."),
  },

  async read({ api }) {
    const { id, username, name, email, is_admin, web_url } = await api.users.current();
    return { id: String(id), username, name, email, is_admin, web_url };
  },
});
