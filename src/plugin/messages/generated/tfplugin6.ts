// Made from src/plugin/proto/tfplugin6.proto by scripts/generate.ts. Change that file.
import { Message, method } from "../codec";

interface ApplyResourceChangeRequest {
  readonly typeName: string;
  readonly priorState: DynamicValue | undefined;
  readonly plannedState: DynamicValue | undefined;
  readonly config: DynamicValue | undefined;
  readonly plannedPrivate: Uint8Array;
}
const ApplyResourceChangeRequest: Message<ApplyResourceChangeRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["priorState", 2, DynamicValue],
  ["plannedState", 3, DynamicValue],
  ["config", 4, DynamicValue],
  ["plannedPrivate", 5, "bytes"],
]);

interface ApplyResourceChangeResponse {
  readonly newState: DynamicValue | undefined;
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}
const ApplyResourceChangeResponse: Message<ApplyResourceChangeResponse> = new Message(() => [
  ["newState", 1, DynamicValue],
  ["private", 2, "bytes"],
  ["diagnostics", 3, Diagnostic, "repeated"],
]);

interface AttributePath {
  readonly steps: readonly AttributePathStep[];
}
const AttributePath: Message<AttributePath> = new Message(() => [
  ["steps", 1, AttributePathStep, "repeated"],
]);

interface AttributePathStep {
  readonly attributeName: string | undefined;
  readonly elementKeyString: string | undefined;
  readonly elementKeyInt: number | undefined;
}
const AttributePathStep: Message<AttributePathStep> = new Message(() => [
  ["attributeName", 1, "string", "optional"],
  ["elementKeyString", 2, "string", "optional"],
  ["elementKeyInt", 3, "int64", "optional"],
]);

interface CallFunctionResponse {
  readonly error: FunctionError | undefined;
}
const CallFunctionResponse: Message<CallFunctionResponse> = new Message(() => [["error", 2, FunctionError]]);

interface ConfigureProviderRequest {
  readonly terraformVersion: string;
  readonly config: DynamicValue | undefined;
}
const ConfigureProviderRequest: Message<ConfigureProviderRequest> = new Message(() => [
  ["terraformVersion", 1, "string"],
  ["config", 2, DynamicValue],
]);

interface ConfigureProviderResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ConfigureProviderResponse: Message<ConfigureProviderResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface Diagnostic {
  readonly severity: "INVALID" | "ERROR" | "WARNING";
  readonly summary: string;
  readonly detail: string;
  readonly attribute: AttributePath | undefined;
}
const Diagnostic: Message<Diagnostic> = new Message(() => [
  ["severity", 1, ["INVALID", "ERROR", "WARNING"]],
  ["summary", 2, "string"],
  ["detail", 3, "string"],
  ["attribute", 4, AttributePath],
]);

interface DynamicValue {
  readonly msgpack: Uint8Array;
  readonly json: Uint8Array;
}
const DynamicValue: Message<DynamicValue> = new Message(() => [
  ["msgpack", 1, "bytes"],
  ["json", 2, "bytes"],
]);

interface FunctionError {
  readonly text: string;
}
const FunctionError: Message<FunctionError> = new Message(() => [["text", 1, "string"]]);

type GetFunctionsRequest = Readonly<Record<string, never>>;
const GetFunctionsRequest: Message<GetFunctionsRequest> = new Message(() => []);

interface GetFunctionsResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const GetFunctionsResponse: Message<GetFunctionsResponse> = new Message(() => [
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

type GetMetadataRequest = Readonly<Record<string, never>>;
const GetMetadataRequest: Message<GetMetadataRequest> = new Message(() => []);

interface GetMetadataResponse {
  readonly serverCapabilities: ServerCapabilities | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly dataSources: readonly GetMetadataTypeName[];
  readonly resources: readonly GetMetadataTypeName[];
}
const GetMetadataResponse: Message<GetMetadataResponse> = new Message(() => [
  ["serverCapabilities", 1, ServerCapabilities],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["dataSources", 3, GetMetadataTypeName, "repeated"],
  ["resources", 4, GetMetadataTypeName, "repeated"],
]);

interface GetMetadataTypeName {
  readonly typeName: string;
}
const GetMetadataTypeName: Message<GetMetadataTypeName> = new Message(() => [["typeName", 1, "string"]]);

type GetProviderSchemaRequest = Readonly<Record<string, never>>;
const GetProviderSchemaRequest: Message<GetProviderSchemaRequest> = new Message(() => []);

interface GetProviderSchemaResponse {
  readonly provider: Schema | undefined;
  readonly resourceSchemas: Readonly<Record<string, Schema>>;
  readonly dataSourceSchemas: Readonly<Record<string, Schema>>;
  readonly diagnostics: readonly Diagnostic[];
  readonly serverCapabilities: ServerCapabilities | undefined;
}
const GetProviderSchemaResponse: Message<GetProviderSchemaResponse> = new Message(() => [
  ["provider", 1, Schema],
  ["resourceSchemas", 2, Schema, "map"],
  ["dataSourceSchemas", 3, Schema, "map"],
  ["diagnostics", 4, Diagnostic, "repeated"],
  ["serverCapabilities", 6, ServerCapabilities],
]);

type GetResourceIdentitySchemasRequest = Readonly<Record<string, never>>;
const GetResourceIdentitySchemasRequest: Message<GetResourceIdentitySchemasRequest> = new Message(() => []);

interface GetResourceIdentitySchemasResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const GetResourceIdentitySchemasResponse: Message<GetResourceIdentitySchemasResponse> = new Message(() => [
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface ImportResourceStateImportedResource {
  readonly typeName: string;
  readonly state: DynamicValue | undefined;
  readonly private: Uint8Array;
}
const ImportResourceStateImportedResource: Message<ImportResourceStateImportedResource> = new Message(() => [
  ["typeName", 1, "string"],
  ["state", 2, DynamicValue],
  ["private", 3, "bytes"],
]);

interface ImportResourceStateRequest {
  readonly typeName: string;
  readonly id: string;
}
const ImportResourceStateRequest: Message<ImportResourceStateRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["id", 2, "string"],
]);

interface ImportResourceStateResponse {
  readonly importedResources: readonly ImportResourceStateImportedResource[];
  readonly diagnostics: readonly Diagnostic[];
}
const ImportResourceStateResponse: Message<ImportResourceStateResponse> = new Message(() => [
  ["importedResources", 1, ImportResourceStateImportedResource, "repeated"],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface MoveResourceStateRequest {
  readonly sourceProviderAddress: string;
  readonly sourceTypeName: string;
  readonly sourceSchemaVersion: number;
  readonly sourceState: RawState | undefined;
  readonly targetTypeName: string;
  readonly sourcePrivate: Uint8Array;
}
const MoveResourceStateRequest: Message<MoveResourceStateRequest> = new Message(() => [
  ["sourceProviderAddress", 1, "string"],
  ["sourceTypeName", 2, "string"],
  ["sourceSchemaVersion", 3, "int64"],
  ["sourceState", 4, RawState],
  ["targetTypeName", 5, "string"],
  ["sourcePrivate", 6, "bytes"],
]);

interface MoveResourceStateResponse {
  readonly targetState: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly targetPrivate: Uint8Array;
}
const MoveResourceStateResponse: Message<MoveResourceStateResponse> = new Message(() => [
  ["targetState", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["targetPrivate", 3, "bytes"],
]);

interface NotProvidedFirstField {
  readonly diagnostics: readonly Diagnostic[];
}
const NotProvidedFirstField: Message<NotProvidedFirstField> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

type NotProvidedRequest = Readonly<Record<string, never>>;
const NotProvidedRequest: Message<NotProvidedRequest> = new Message(() => []);

interface PlanResourceChangeRequest {
  readonly typeName: string;
  readonly priorState: DynamicValue | undefined;
  readonly proposedNewState: DynamicValue | undefined;
  readonly config: DynamicValue | undefined;
  readonly priorPrivate: Uint8Array;
}
const PlanResourceChangeRequest: Message<PlanResourceChangeRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["priorState", 2, DynamicValue],
  ["proposedNewState", 3, DynamicValue],
  ["config", 4, DynamicValue],
  ["priorPrivate", 5, "bytes"],
]);

interface PlanResourceChangeResponse {
  readonly plannedState: DynamicValue | undefined;
  readonly requiresReplace: readonly AttributePath[];
  readonly plannedPrivate: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}
const PlanResourceChangeResponse: Message<PlanResourceChangeResponse> = new Message(() => [
  ["plannedState", 1, DynamicValue],
  ["requiresReplace", 2, AttributePath, "repeated"],
  ["plannedPrivate", 3, "bytes"],
  ["diagnostics", 4, Diagnostic, "repeated"],
]);

interface RawState {
  readonly json: Uint8Array;
  readonly flatmap: Readonly<Record<string, string>>;
}
const RawState: Message<RawState> = new Message(() => [
  ["json", 1, "bytes"],
  ["flatmap", 2, "string", "map"],
]);

interface ReadDataSourceRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
}
const ReadDataSourceRequest: Message<ReadDataSourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
]);

interface ReadDataSourceResponse {
  readonly state: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
const ReadDataSourceResponse: Message<ReadDataSourceResponse> = new Message(() => [
  ["state", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface ReadResourceRequest {
  readonly typeName: string;
  readonly currentState: DynamicValue | undefined;
  readonly private: Uint8Array;
}
const ReadResourceRequest: Message<ReadResourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["currentState", 2, DynamicValue],
  ["private", 3, "bytes"],
]);

interface ReadResourceResponse {
  readonly newState: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly private: Uint8Array;
}
const ReadResourceResponse: Message<ReadResourceResponse> = new Message(() => [
  ["newState", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["private", 3, "bytes"],
]);

interface Schema {
  readonly version: number;
  readonly block: SchemaBlock | undefined;
}
const Schema: Message<Schema> = new Message(() => [
  ["version", 1, "int64"],
  ["block", 2, SchemaBlock],
]);

interface SchemaAttribute {
  readonly name: string;
  readonly type: Uint8Array;
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly descriptionKind: "PLAIN" | "MARKDOWN";
  readonly deprecated: boolean;
  readonly nestedType: SchemaObject | undefined;
}
const SchemaAttribute: Message<SchemaAttribute> = new Message(() => [
  ["name", 1, "string"],
  ["type", 2, "bytes"],
  ["description", 3, "string"],
  ["required", 4, "bool"],
  ["optional", 5, "bool"],
  ["computed", 6, "bool"],
  ["sensitive", 7, "bool"],
  ["descriptionKind", 8, ["PLAIN", "MARKDOWN"]],
  ["deprecated", 9, "bool"],
  ["nestedType", 10, SchemaObject],
]);

interface SchemaBlock {
  readonly version: number;
  readonly attributes: readonly SchemaAttribute[];
  readonly description: string;
  readonly descriptionKind: "PLAIN" | "MARKDOWN";
  readonly deprecated: boolean;
}
const SchemaBlock: Message<SchemaBlock> = new Message(() => [
  ["version", 1, "int64"],
  ["attributes", 2, SchemaAttribute, "repeated"],
  ["description", 4, "string"],
  ["descriptionKind", 5, ["PLAIN", "MARKDOWN"]],
  ["deprecated", 6, "bool"],
]);

interface SchemaObject {
  readonly attributes: readonly SchemaAttribute[];
  readonly nesting: "INVALID" | "SINGLE" | "LIST" | "SET" | "MAP";
}
const SchemaObject: Message<SchemaObject> = new Message(() => [
  ["attributes", 1, SchemaAttribute, "repeated"],
  ["nesting", 3, ["INVALID", "SINGLE", "LIST", "SET", "MAP"]],
]);

interface ServerCapabilities {
  readonly planDestroy: boolean;
  readonly getProviderSchemaOptional: boolean;
  readonly moveResourceState: boolean;
}
const ServerCapabilities: Message<ServerCapabilities> = new Message(() => [
  ["planDestroy", 1, "bool"],
  ["getProviderSchemaOptional", 2, "bool"],
  ["moveResourceState", 3, "bool"],
]);

type StopProviderRequest = Readonly<Record<string, never>>;
const StopProviderRequest: Message<StopProviderRequest> = new Message(() => []);

interface StopProviderResponse {
  readonly error: string;
}
const StopProviderResponse: Message<StopProviderResponse> = new Message(() => [["error", 1, "string"]]);

interface UpgradeResourceIdentityResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const UpgradeResourceIdentityResponse: Message<UpgradeResourceIdentityResponse> = new Message(() => [
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface UpgradeResourceStateRequest {
  readonly typeName: string;
  readonly version: number;
  readonly rawState: RawState | undefined;
}
const UpgradeResourceStateRequest: Message<UpgradeResourceStateRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["version", 2, "int64"],
  ["rawState", 3, RawState],
]);

interface UpgradeResourceStateResponse {
  readonly upgradedState: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
const UpgradeResourceStateResponse: Message<UpgradeResourceStateResponse> = new Message(() => [
  ["upgradedState", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface ValidateDataResourceConfigRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
}
const ValidateDataResourceConfigRequest: Message<ValidateDataResourceConfigRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
]);

interface ValidateDataResourceConfigResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateDataResourceConfigResponse: Message<ValidateDataResourceConfigResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface ValidateProviderConfigRequest {
  readonly config: DynamicValue | undefined;
}
const ValidateProviderConfigRequest: Message<ValidateProviderConfigRequest> = new Message(() => [
  ["config", 1, DynamicValue],
]);

interface ValidateProviderConfigResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateProviderConfigResponse: Message<ValidateProviderConfigResponse> = new Message(() => [
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface ValidateResourceConfigRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
}
const ValidateResourceConfigRequest: Message<ValidateResourceConfigRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
]);

interface ValidateResourceConfigResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateResourceConfigResponse: Message<ValidateResourceConfigResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

/** The messages by their names in the protocol. */
export interface Messages {
  readonly "ApplyResourceChange.Request": ApplyResourceChangeRequest;
  readonly "ApplyResourceChange.Response": ApplyResourceChangeResponse;
  readonly AttributePath: AttributePath;
  readonly "AttributePath.Step": AttributePathStep;
  readonly "CallFunction.Response": CallFunctionResponse;
  readonly "ConfigureProvider.Request": ConfigureProviderRequest;
  readonly "ConfigureProvider.Response": ConfigureProviderResponse;
  readonly Diagnostic: Diagnostic;
  readonly DynamicValue: DynamicValue;
  readonly FunctionError: FunctionError;
  readonly "GetFunctions.Request": GetFunctionsRequest;
  readonly "GetFunctions.Response": GetFunctionsResponse;
  readonly "GetMetadata.Request": GetMetadataRequest;
  readonly "GetMetadata.Response": GetMetadataResponse;
  readonly "GetMetadata.TypeName": GetMetadataTypeName;
  readonly "GetProviderSchema.Request": GetProviderSchemaRequest;
  readonly "GetProviderSchema.Response": GetProviderSchemaResponse;
  readonly "GetResourceIdentitySchemas.Request": GetResourceIdentitySchemasRequest;
  readonly "GetResourceIdentitySchemas.Response": GetResourceIdentitySchemasResponse;
  readonly "ImportResourceState.ImportedResource": ImportResourceStateImportedResource;
  readonly "ImportResourceState.Request": ImportResourceStateRequest;
  readonly "ImportResourceState.Response": ImportResourceStateResponse;
  readonly "MoveResourceState.Request": MoveResourceStateRequest;
  readonly "MoveResourceState.Response": MoveResourceStateResponse;
  readonly "NotProvided.FirstField": NotProvidedFirstField;
  readonly "NotProvided.Request": NotProvidedRequest;
  readonly "PlanResourceChange.Request": PlanResourceChangeRequest;
  readonly "PlanResourceChange.Response": PlanResourceChangeResponse;
  readonly RawState: RawState;
  readonly "ReadDataSource.Request": ReadDataSourceRequest;
  readonly "ReadDataSource.Response": ReadDataSourceResponse;
  readonly "ReadResource.Request": ReadResourceRequest;
  readonly "ReadResource.Response": ReadResourceResponse;
  readonly Schema: Schema;
  readonly "Schema.Attribute": SchemaAttribute;
  readonly "Schema.Block": SchemaBlock;
  readonly "Schema.Object": SchemaObject;
  readonly ServerCapabilities: ServerCapabilities;
  readonly "StopProvider.Request": StopProviderRequest;
  readonly "StopProvider.Response": StopProviderResponse;
  readonly "UpgradeResourceIdentity.Response": UpgradeResourceIdentityResponse;
  readonly "UpgradeResourceState.Request": UpgradeResourceStateRequest;
  readonly "UpgradeResourceState.Response": UpgradeResourceStateResponse;
  readonly "ValidateDataResourceConfig.Request": ValidateDataResourceConfigRequest;
  readonly "ValidateDataResourceConfig.Response": ValidateDataResourceConfigResponse;
  readonly "ValidateProviderConfig.Request": ValidateProviderConfigRequest;
  readonly "ValidateProviderConfig.Response": ValidateProviderConfigResponse;
  readonly "ValidateResourceConfig.Request": ValidateResourceConfigRequest;
  readonly "ValidateResourceConfig.Response": ValidateResourceConfigResponse;
}

export const PROVIDER_SERVICE = {
  GetMetadata: method("/tfplugin6.Provider/GetMetadata", GetMetadataRequest, GetMetadataResponse),
  GetProviderSchema: method(
    "/tfplugin6.Provider/GetProviderSchema",
    GetProviderSchemaRequest,
    GetProviderSchemaResponse,
  ),
  GetResourceIdentitySchemas: method(
    "/tfplugin6.Provider/GetResourceIdentitySchemas",
    GetResourceIdentitySchemasRequest,
    GetResourceIdentitySchemasResponse,
  ),
  GetFunctions: method("/tfplugin6.Provider/GetFunctions", GetFunctionsRequest, GetFunctionsResponse),
  ValidateProviderConfig: method(
    "/tfplugin6.Provider/ValidateProviderConfig",
    ValidateProviderConfigRequest,
    ValidateProviderConfigResponse,
  ),
  ValidateResourceConfig: method(
    "/tfplugin6.Provider/ValidateResourceConfig",
    ValidateResourceConfigRequest,
    ValidateResourceConfigResponse,
  ),
  ValidateDataResourceConfig: method(
    "/tfplugin6.Provider/ValidateDataResourceConfig",
    ValidateDataResourceConfigRequest,
    ValidateDataResourceConfigResponse,
  ),
  UpgradeResourceState: method(
    "/tfplugin6.Provider/UpgradeResourceState",
    UpgradeResourceStateRequest,
    UpgradeResourceStateResponse,
  ),
  ConfigureProvider: method(
    "/tfplugin6.Provider/ConfigureProvider",
    ConfigureProviderRequest,
    ConfigureProviderResponse,
  ),
  ReadResource: method("/tfplugin6.Provider/ReadResource", ReadResourceRequest, ReadResourceResponse),
  PlanResourceChange: method(
    "/tfplugin6.Provider/PlanResourceChange",
    PlanResourceChangeRequest,
    PlanResourceChangeResponse,
  ),
  ApplyResourceChange: method(
    "/tfplugin6.Provider/ApplyResourceChange",
    ApplyResourceChangeRequest,
    ApplyResourceChangeResponse,
  ),
  ImportResourceState: method(
    "/tfplugin6.Provider/ImportResourceState",
    ImportResourceStateRequest,
    ImportResourceStateResponse,
  ),
  MoveResourceState: method(
    "/tfplugin6.Provider/MoveResourceState",
    MoveResourceStateRequest,
    MoveResourceStateResponse,
  ),
  ReadDataSource: method("/tfplugin6.Provider/ReadDataSource", ReadDataSourceRequest, ReadDataSourceResponse),
  StopProvider: method("/tfplugin6.Provider/StopProvider", StopProviderRequest, StopProviderResponse),
  UpgradeResourceIdentity: method(
    "/tfplugin6.Provider/UpgradeResourceIdentity",
    NotProvidedRequest,
    UpgradeResourceIdentityResponse,
  ),
  ValidateEphemeralResourceConfig: method(
    "/tfplugin6.Provider/ValidateEphemeralResourceConfig",
    NotProvidedRequest,
    NotProvidedFirstField,
  ),
  OpenEphemeralResource: method(
    "/tfplugin6.Provider/OpenEphemeralResource",
    NotProvidedRequest,
    NotProvidedFirstField,
  ),
  RenewEphemeralResource: method(
    "/tfplugin6.Provider/RenewEphemeralResource",
    NotProvidedRequest,
    NotProvidedFirstField,
  ),
  CloseEphemeralResource: method(
    "/tfplugin6.Provider/CloseEphemeralResource",
    NotProvidedRequest,
    NotProvidedFirstField,
  ),
  ValidateListResourceConfig: method(
    "/tfplugin6.Provider/ValidateListResourceConfig",
    NotProvidedRequest,
    NotProvidedFirstField,
  ),
  CallFunction: method("/tfplugin6.Provider/CallFunction", NotProvidedRequest, CallFunctionResponse),
};
