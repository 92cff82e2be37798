/** The prefix of all type names. */
export const PROVIDER_NAME = "steward";
/** The source address, as in `required_providers`. */
export const PROVIDER_SOURCE = "registry.steward.example/steward/steward";
/** The attribute of a provider configuration that contains the address of the service. */
export const ADDRESS_ATTRIBUTE = "base_url";
/** The environment variable with the address, for configurations without the attribute. */
export const ADDRESS_VARIABLE = "STEWARD_BASE_URL";
