/** The prefix of all type names. */
export const PROVIDER_NAME = "steward";
/** The source address, as in `required_providers`. */
export const PROVIDER_SOURCE = "registry.steward.example/steward/steward";
