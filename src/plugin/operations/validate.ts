import { readObject } from "../values/read-value";
import { ofDataSource, ofProvider, ofResource, operation, required } from "./operation";

export const validateProviderConfig = operation("ValidateProviderConfig", {
  attributes: ofProvider,
  handle: ({ provider }, { config }, attributes) => ({
    diagnostics: provider.validateProvider(required(readObject(attributes, config), "configuration")),
  }),
});

export const validateResourceConfig = operation("ValidateResourceConfig", {
  attributes: ofResource,
  handle: ({ provider, seen }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateResource(
      typeName,
      required(seen.first(attributes, config), "configuration"),
    ),
  }),
});

export const validateDataResourceConfig = operation("ValidateDataResourceConfig", {
  attributes: ofDataSource,
  handle: ({ provider }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateDataSource(
      typeName,
      required(readObject(attributes, config), "configuration"),
    ),
  }),
});

export const configureProvider = operation("ConfigureProvider", {
  attributes: ofProvider,
  handle: async (session, { config }, attributes) => ({
    diagnostics: await session.configure(required(readObject(attributes, config), "configuration")),
  }),
});
