import { readObject } from "../values/read-value";
import { given, ofDataSource, ofProvider, ofResource, operation } from "./operation";

export const validateProviderConfig = operation("ValidateProviderConfig", {
  attributes: ofProvider,
  answer: ({ provider }, { config }, attributes) => ({
    diagnostics: provider.validateProvider(given(readObject(attributes, config), "configuration")),
  }),
});

export const validateResourceConfig = operation("ValidateResourceConfig", {
  attributes: ofResource,
  answer: ({ provider }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateResource(typeName, given(readObject(attributes, config), "configuration")),
  }),
});

export const validateDataResourceConfig = operation("ValidateDataResourceConfig", {
  attributes: ofDataSource,
  answer: ({ provider }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateDataSource(
      typeName,
      given(readObject(attributes, config), "configuration"),
    ),
  }),
});

export const configureProvider = operation("ConfigureProvider", {
  attributes: ofProvider,
  answer: async (session, { config }, attributes) => ({
    diagnostics: await session.configure(given(readObject(attributes, config), "configuration")),
  }),
});
