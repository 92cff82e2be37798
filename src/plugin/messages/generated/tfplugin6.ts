// Copyright IBM Corp. 2014, 2026
// SPDX-License-Identifier: MPL-2.0
// Made from src/plugin/proto/tfplugin6.proto by scripts/generate.ts. Change that file.
import { Message, method } from "../codec";

interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}
const Timestamp: Message<Timestamp> = new Message(() => [
  ["seconds", 1, "int64"],
  ["nanos", 2, "int32"],
]);

interface ActionSchema {
  readonly schema: Schema | undefined;
}
const ActionSchema: Message<ActionSchema> = new Message(() => [["schema", 1, Schema]]);

interface ApplyResourceChangeRequest {
  readonly typeName: string;
  readonly priorState: DynamicValue | undefined;
  readonly plannedState: DynamicValue | undefined;
  readonly config: DynamicValue | undefined;
  readonly plannedPrivate: Uint8Array;
  readonly providerMeta: DynamicValue | undefined;
  readonly plannedIdentity: ResourceIdentityData | undefined;
}
const ApplyResourceChangeRequest: Message<ApplyResourceChangeRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["priorState", 2, DynamicValue],
  ["plannedState", 3, DynamicValue],
  ["config", 4, DynamicValue],
  ["plannedPrivate", 5, "bytes"],
  ["providerMeta", 6, DynamicValue],
  ["plannedIdentity", 7, ResourceIdentityData],
]);

interface ApplyResourceChangeResponse {
  readonly newState: DynamicValue | undefined;
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  readonly legacyTypeSystem: boolean;
  readonly newIdentity: ResourceIdentityData | undefined;
}
const ApplyResourceChangeResponse: Message<ApplyResourceChangeResponse> = new Message(() => [
  ["newState", 1, DynamicValue],
  ["private", 2, "bytes"],
  ["diagnostics", 3, Diagnostic, "repeated"],
  ["legacyTypeSystem", 4, "bool"],
  ["newIdentity", 5, ResourceIdentityData],
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

interface CallFunctionRequest {
  readonly name: string;
  readonly arguments: readonly DynamicValue[];
}
const CallFunctionRequest: Message<CallFunctionRequest> = new Message(() => [
  ["name", 1, "string"],
  ["arguments", 2, DynamicValue, "repeated"],
]);

interface CallFunctionResponse {
  readonly result: DynamicValue | undefined;
  readonly error: FunctionError | undefined;
}
const CallFunctionResponse: Message<CallFunctionResponse> = new Message(() => [
  ["result", 1, DynamicValue],
  ["error", 2, FunctionError],
]);

interface ClientCapabilities {
  readonly deferralAllowed: boolean;
  readonly writeOnlyAttributesAllowed: boolean;
  readonly storePlannedPrivate: boolean;
  readonly computedBlocksAllowed: boolean;
}
const ClientCapabilities: Message<ClientCapabilities> = new Message(() => [
  ["deferralAllowed", 1, "bool"],
  ["writeOnlyAttributesAllowed", 2, "bool"],
  ["storePlannedPrivate", 3, "bool"],
  ["computedBlocksAllowed", 4, "bool"],
]);

interface CloseEphemeralResourceRequest {
  readonly typeName: string;
  readonly private: Uint8Array | undefined;
}
const CloseEphemeralResourceRequest: Message<CloseEphemeralResourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["private", 2, "bytes", "optional"],
]);

interface CloseEphemeralResourceResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const CloseEphemeralResourceResponse: Message<CloseEphemeralResourceResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface ConfigureProviderRequest {
  readonly terraformVersion: string;
  readonly config: DynamicValue | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
}
const ConfigureProviderRequest: Message<ConfigureProviderRequest> = new Message(() => [
  ["terraformVersion", 1, "string"],
  ["config", 2, DynamicValue],
  ["clientCapabilities", 3, ClientCapabilities],
]);

interface ConfigureProviderResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ConfigureProviderResponse: Message<ConfigureProviderResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface ConfigureStateStoreRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
  readonly capabilities: StateStoreClientCapabilities | undefined;
}
const ConfigureStateStoreRequest: Message<ConfigureStateStoreRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
  ["capabilities", 3, StateStoreClientCapabilities],
]);

interface ConfigureStateStoreResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly capabilities: StateStoreServerCapabilities | undefined;
}
const ConfigureStateStoreResponse: Message<ConfigureStateStoreResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
  ["capabilities", 2, StateStoreServerCapabilities],
]);

interface Deferred {
  readonly reason: "UNKNOWN" | "RESOURCE_CONFIG_UNKNOWN" | "PROVIDER_CONFIG_UNKNOWN" | "ABSENT_PREREQ";
}
const Deferred: Message<Deferred> = new Message(() => [
  ["reason", 1, ["UNKNOWN", "RESOURCE_CONFIG_UNKNOWN", "PROVIDER_CONFIG_UNKNOWN", "ABSENT_PREREQ"]],
]);

interface DeleteStateRequest {
  readonly typeName: string;
  readonly stateId: string;
}
const DeleteStateRequest: Message<DeleteStateRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["stateId", 2, "string"],
]);

interface DeleteStateResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const DeleteStateResponse: Message<DeleteStateResponse> = new Message(() => [
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

interface FunctionMessage {
  readonly parameters: readonly FunctionParameter[];
  readonly variadicParameter: FunctionParameter | undefined;
  readonly return: FunctionReturn | undefined;
  readonly summary: string;
  readonly description: string;
  readonly descriptionKind: "PLAIN" | "MARKDOWN";
  readonly deprecationMessage: string;
}
const FunctionMessage: Message<FunctionMessage> = new Message(() => [
  ["parameters", 1, FunctionParameter, "repeated"],
  ["variadicParameter", 2, FunctionParameter],
  ["return", 3, FunctionReturn],
  ["summary", 4, "string"],
  ["description", 5, "string"],
  ["descriptionKind", 6, ["PLAIN", "MARKDOWN"]],
  ["deprecationMessage", 7, "string"],
]);

interface FunctionParameter {
  readonly name: string;
  readonly type: Uint8Array;
  readonly allowNullValue: boolean;
  readonly allowUnknownValues: boolean;
  readonly description: string;
  readonly descriptionKind: "PLAIN" | "MARKDOWN";
}
const FunctionParameter: Message<FunctionParameter> = new Message(() => [
  ["name", 1, "string"],
  ["type", 2, "bytes"],
  ["allowNullValue", 3, "bool"],
  ["allowUnknownValues", 4, "bool"],
  ["description", 5, "string"],
  ["descriptionKind", 6, ["PLAIN", "MARKDOWN"]],
]);

interface FunctionReturn {
  readonly type: Uint8Array;
}
const FunctionReturn: Message<FunctionReturn> = new Message(() => [["type", 1, "bytes"]]);

interface FunctionError {
  readonly text: string;
  readonly functionArgument: number | undefined;
}
const FunctionError: Message<FunctionError> = new Message(() => [
  ["text", 1, "string"],
  ["functionArgument", 2, "int64", "optional"],
]);

interface GenerateResourceConfigRequest {
  readonly typeName: string;
  readonly state: DynamicValue | undefined;
}
const GenerateResourceConfigRequest: Message<GenerateResourceConfigRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["state", 2, DynamicValue],
]);

interface GenerateResourceConfigResponse {
  readonly config: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
const GenerateResourceConfigResponse: Message<GenerateResourceConfigResponse> = new Message(() => [
  ["config", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

type GetFunctionsRequest = Readonly<Record<string, never>>;
const GetFunctionsRequest: Message<GetFunctionsRequest> = new Message(() => []);

interface GetFunctionsResponse {
  readonly functions: Readonly<Record<string, FunctionMessage>>;
  readonly diagnostics: readonly Diagnostic[];
}
const GetFunctionsResponse: Message<GetFunctionsResponse> = new Message(() => [
  ["functions", 1, FunctionMessage, "map"],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface GetMetadataActionMetadata {
  readonly typeName: string;
}
const GetMetadataActionMetadata: Message<GetMetadataActionMetadata> = new Message(() => [
  ["typeName", 1, "string"],
]);

interface GetMetadataDataSourceMetadata {
  readonly typeName: string;
}
const GetMetadataDataSourceMetadata: Message<GetMetadataDataSourceMetadata> = new Message(() => [
  ["typeName", 1, "string"],
]);

interface GetMetadataEphemeralMetadata {
  readonly typeName: string;
}
const GetMetadataEphemeralMetadata: Message<GetMetadataEphemeralMetadata> = new Message(() => [
  ["typeName", 1, "string"],
]);

interface GetMetadataFunctionMetadata {
  readonly name: string;
}
const GetMetadataFunctionMetadata: Message<GetMetadataFunctionMetadata> = new Message(() => [
  ["name", 1, "string"],
]);

interface GetMetadataListResourceMetadata {
  readonly typeName: string;
}
const GetMetadataListResourceMetadata: Message<GetMetadataListResourceMetadata> = new Message(() => [
  ["typeName", 1, "string"],
]);

type GetMetadataRequest = Readonly<Record<string, never>>;
const GetMetadataRequest: Message<GetMetadataRequest> = new Message(() => []);

interface GetMetadataResourceMetadata {
  readonly typeName: string;
}
const GetMetadataResourceMetadata: Message<GetMetadataResourceMetadata> = new Message(() => [
  ["typeName", 1, "string"],
]);

interface GetMetadataResponse {
  readonly serverCapabilities: ServerCapabilities | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly dataSources: readonly GetMetadataDataSourceMetadata[];
  readonly resources: readonly GetMetadataResourceMetadata[];
  readonly functions: readonly GetMetadataFunctionMetadata[];
  readonly ephemeralResources: readonly GetMetadataEphemeralMetadata[];
  readonly listResources: readonly GetMetadataListResourceMetadata[];
  readonly stateStores: readonly GetMetadataStateStoreMetadata[];
  readonly actions: readonly GetMetadataActionMetadata[];
}
const GetMetadataResponse: Message<GetMetadataResponse> = new Message(() => [
  ["serverCapabilities", 1, ServerCapabilities],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["dataSources", 3, GetMetadataDataSourceMetadata, "repeated"],
  ["resources", 4, GetMetadataResourceMetadata, "repeated"],
  ["functions", 5, GetMetadataFunctionMetadata, "repeated"],
  ["ephemeralResources", 6, GetMetadataEphemeralMetadata, "repeated"],
  ["listResources", 7, GetMetadataListResourceMetadata, "repeated"],
  ["stateStores", 8, GetMetadataStateStoreMetadata, "repeated"],
  ["actions", 9, GetMetadataActionMetadata, "repeated"],
]);

interface GetMetadataStateStoreMetadata {
  readonly typeName: string;
}
const GetMetadataStateStoreMetadata: Message<GetMetadataStateStoreMetadata> = new Message(() => [
  ["typeName", 1, "string"],
]);

type GetProviderSchemaRequest = Readonly<Record<string, never>>;
const GetProviderSchemaRequest: Message<GetProviderSchemaRequest> = new Message(() => []);

interface GetProviderSchemaResponse {
  readonly provider: Schema | undefined;
  readonly resourceSchemas: Readonly<Record<string, Schema>>;
  readonly dataSourceSchemas: Readonly<Record<string, Schema>>;
  readonly functions: Readonly<Record<string, FunctionMessage>>;
  readonly ephemeralResourceSchemas: Readonly<Record<string, Schema>>;
  readonly listResourceSchemas: Readonly<Record<string, Schema>>;
  readonly stateStoreSchemas: Readonly<Record<string, Schema>>;
  readonly actionSchemas: Readonly<Record<string, ActionSchema>>;
  readonly diagnostics: readonly Diagnostic[];
  readonly providerMeta: Schema | undefined;
  readonly serverCapabilities: ServerCapabilities | undefined;
}
const GetProviderSchemaResponse: Message<GetProviderSchemaResponse> = new Message(() => [
  ["provider", 1, Schema],
  ["resourceSchemas", 2, Schema, "map"],
  ["dataSourceSchemas", 3, Schema, "map"],
  ["functions", 7, FunctionMessage, "map"],
  ["ephemeralResourceSchemas", 8, Schema, "map"],
  ["listResourceSchemas", 9, Schema, "map"],
  ["stateStoreSchemas", 10, Schema, "map"],
  ["actionSchemas", 11, ActionSchema, "map"],
  ["diagnostics", 4, Diagnostic, "repeated"],
  ["providerMeta", 5, Schema],
  ["serverCapabilities", 6, ServerCapabilities],
]);

type GetResourceIdentitySchemasRequest = Readonly<Record<string, never>>;
const GetResourceIdentitySchemasRequest: Message<GetResourceIdentitySchemasRequest> = new Message(() => []);

interface GetResourceIdentitySchemasResponse {
  readonly identitySchemas: Readonly<Record<string, ResourceIdentitySchema>>;
  readonly diagnostics: readonly Diagnostic[];
}
const GetResourceIdentitySchemasResponse: Message<GetResourceIdentitySchemasResponse> = new Message(() => [
  ["identitySchemas", 1, ResourceIdentitySchema, "map"],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface GetStatesRequest {
  readonly typeName: string;
}
const GetStatesRequest: Message<GetStatesRequest> = new Message(() => [["typeName", 1, "string"]]);

interface GetStatesResponse {
  readonly stateId: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
const GetStatesResponse: Message<GetStatesResponse> = new Message(() => [
  ["stateId", 1, "string", "repeated"],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface ImportResourceStateImportedResource {
  readonly typeName: string;
  readonly state: DynamicValue | undefined;
  readonly private: Uint8Array;
  readonly identity: ResourceIdentityData | undefined;
}
const ImportResourceStateImportedResource: Message<ImportResourceStateImportedResource> = new Message(() => [
  ["typeName", 1, "string"],
  ["state", 2, DynamicValue],
  ["private", 3, "bytes"],
  ["identity", 4, ResourceIdentityData],
]);

interface ImportResourceStateRequest {
  readonly typeName: string;
  readonly id: string;
  readonly clientCapabilities: ClientCapabilities | undefined;
  readonly identity: ResourceIdentityData | undefined;
}
const ImportResourceStateRequest: Message<ImportResourceStateRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["id", 2, "string"],
  ["clientCapabilities", 3, ClientCapabilities],
  ["identity", 4, ResourceIdentityData],
]);

interface ImportResourceStateResponse {
  readonly importedResources: readonly ImportResourceStateImportedResource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred: Deferred | undefined;
}
const ImportResourceStateResponse: Message<ImportResourceStateResponse> = new Message(() => [
  ["importedResources", 1, ImportResourceStateImportedResource, "repeated"],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["deferred", 3, Deferred],
]);

interface InvokeActionEvent {
  readonly progress: InvokeActionEventProgress | undefined;
  readonly completed: InvokeActionEventCompleted | undefined;
}
const InvokeActionEvent: Message<InvokeActionEvent> = new Message(() => [
  ["progress", 1, InvokeActionEventProgress, "optional"],
  ["completed", 2, InvokeActionEventCompleted, "optional"],
]);

interface InvokeActionEventCompleted {
  readonly diagnostics: readonly Diagnostic[];
}
const InvokeActionEventCompleted: Message<InvokeActionEventCompleted> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface InvokeActionEventProgress {
  readonly message: string;
}
const InvokeActionEventProgress: Message<InvokeActionEventProgress> = new Message(() => [
  ["message", 1, "string"],
]);

interface InvokeActionRequest {
  readonly actionType: string;
  readonly config: DynamicValue | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
}
const InvokeActionRequest: Message<InvokeActionRequest> = new Message(() => [
  ["actionType", 1, "string"],
  ["config", 2, DynamicValue],
  ["clientCapabilities", 3, ClientCapabilities],
]);

interface ListResourceEvent {
  readonly identity: ResourceIdentityData | undefined;
  readonly displayName: string;
  readonly resourceObject: DynamicValue | undefined;
  readonly diagnostic: readonly Diagnostic[];
}
const ListResourceEvent: Message<ListResourceEvent> = new Message(() => [
  ["identity", 1, ResourceIdentityData],
  ["displayName", 2, "string"],
  ["resourceObject", 3, DynamicValue, "optional"],
  ["diagnostic", 4, Diagnostic, "repeated"],
]);

interface ListResourceRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
  readonly includeResourceObject: boolean;
  readonly limit: number;
}
const ListResourceRequest: Message<ListResourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
  ["includeResourceObject", 3, "bool"],
  ["limit", 4, "int64"],
]);

interface LockStateRequest {
  readonly typeName: string;
  readonly stateId: string;
  readonly operation: string;
}
const LockStateRequest: Message<LockStateRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["stateId", 2, "string"],
  ["operation", 3, "string"],
]);

interface LockStateResponse {
  readonly lockId: string;
  readonly diagnostics: readonly Diagnostic[];
}
const LockStateResponse: Message<LockStateResponse> = new Message(() => [
  ["lockId", 1, "string"],
  ["diagnostics", 2, Diagnostic, "repeated"],
]);

interface MoveResourceStateRequest {
  readonly sourceProviderAddress: string;
  readonly sourceTypeName: string;
  readonly sourceSchemaVersion: number;
  readonly sourceState: RawState | undefined;
  readonly targetTypeName: string;
  readonly sourcePrivate: Uint8Array;
  readonly sourceIdentity: RawState | undefined;
  readonly sourceIdentitySchemaVersion: number;
}
const MoveResourceStateRequest: Message<MoveResourceStateRequest> = new Message(() => [
  ["sourceProviderAddress", 1, "string"],
  ["sourceTypeName", 2, "string"],
  ["sourceSchemaVersion", 3, "int64"],
  ["sourceState", 4, RawState],
  ["targetTypeName", 5, "string"],
  ["sourcePrivate", 6, "bytes"],
  ["sourceIdentity", 7, RawState],
  ["sourceIdentitySchemaVersion", 8, "int64"],
]);

interface MoveResourceStateResponse {
  readonly targetState: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly targetPrivate: Uint8Array;
  readonly targetIdentity: ResourceIdentityData | undefined;
}
const MoveResourceStateResponse: Message<MoveResourceStateResponse> = new Message(() => [
  ["targetState", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["targetPrivate", 3, "bytes"],
  ["targetIdentity", 4, ResourceIdentityData],
]);

interface OpenEphemeralResourceRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
}
const OpenEphemeralResourceRequest: Message<OpenEphemeralResourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
  ["clientCapabilities", 3, ClientCapabilities],
]);

interface OpenEphemeralResourceResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly renewAt: Timestamp | undefined;
  readonly result: DynamicValue | undefined;
  readonly private: Uint8Array | undefined;
  readonly deferred: Deferred | undefined;
}
const OpenEphemeralResourceResponse: Message<OpenEphemeralResourceResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
  ["renewAt", 2, Timestamp, "optional"],
  ["result", 3, DynamicValue],
  ["private", 4, "bytes", "optional"],
  ["deferred", 5, Deferred],
]);

interface PlanActionRequest {
  readonly actionType: string;
  readonly config: DynamicValue | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
}
const PlanActionRequest: Message<PlanActionRequest> = new Message(() => [
  ["actionType", 1, "string"],
  ["config", 2, DynamicValue],
  ["clientCapabilities", 3, ClientCapabilities],
]);

interface PlanActionResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred: Deferred | undefined;
}
const PlanActionResponse: Message<PlanActionResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
  ["deferred", 2, Deferred],
]);

interface PlanResourceChangeRequest {
  readonly typeName: string;
  readonly priorState: DynamicValue | undefined;
  readonly proposedNewState: DynamicValue | undefined;
  readonly config: DynamicValue | undefined;
  readonly priorPrivate: Uint8Array;
  readonly providerMeta: DynamicValue | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
  readonly priorIdentity: ResourceIdentityData | undefined;
  readonly plannedPrivate: Uint8Array;
}
const PlanResourceChangeRequest: Message<PlanResourceChangeRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["priorState", 2, DynamicValue],
  ["proposedNewState", 3, DynamicValue],
  ["config", 4, DynamicValue],
  ["priorPrivate", 5, "bytes"],
  ["providerMeta", 6, DynamicValue],
  ["clientCapabilities", 7, ClientCapabilities],
  ["priorIdentity", 8, ResourceIdentityData],
  ["plannedPrivate", 9, "bytes"],
]);

interface PlanResourceChangeResponse {
  readonly plannedState: DynamicValue | undefined;
  readonly requiresReplace: readonly AttributePath[];
  readonly plannedPrivate: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  readonly legacyTypeSystem: boolean;
  readonly deferred: Deferred | undefined;
  readonly plannedIdentity: ResourceIdentityData | undefined;
}
const PlanResourceChangeResponse: Message<PlanResourceChangeResponse> = new Message(() => [
  ["plannedState", 1, DynamicValue],
  ["requiresReplace", 2, AttributePath, "repeated"],
  ["plannedPrivate", 3, "bytes"],
  ["diagnostics", 4, Diagnostic, "repeated"],
  ["legacyTypeSystem", 5, "bool"],
  ["deferred", 6, Deferred],
  ["plannedIdentity", 7, ResourceIdentityData],
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
  readonly providerMeta: DynamicValue | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
}
const ReadDataSourceRequest: Message<ReadDataSourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
  ["providerMeta", 3, DynamicValue],
  ["clientCapabilities", 4, ClientCapabilities],
]);

interface ReadDataSourceResponse {
  readonly state: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred: Deferred | undefined;
}
const ReadDataSourceResponse: Message<ReadDataSourceResponse> = new Message(() => [
  ["state", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["deferred", 3, Deferred],
]);

interface ReadResourceRequest {
  readonly typeName: string;
  readonly currentState: DynamicValue | undefined;
  readonly private: Uint8Array;
  readonly providerMeta: DynamicValue | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
  readonly currentIdentity: ResourceIdentityData | undefined;
}
const ReadResourceRequest: Message<ReadResourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["currentState", 2, DynamicValue],
  ["private", 3, "bytes"],
  ["providerMeta", 4, DynamicValue],
  ["clientCapabilities", 5, ClientCapabilities],
  ["currentIdentity", 6, ResourceIdentityData],
]);

interface ReadResourceResponse {
  readonly newState: DynamicValue | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly private: Uint8Array;
  readonly deferred: Deferred | undefined;
  readonly newIdentity: ResourceIdentityData | undefined;
}
const ReadResourceResponse: Message<ReadResourceResponse> = new Message(() => [
  ["newState", 1, DynamicValue],
  ["diagnostics", 2, Diagnostic, "repeated"],
  ["private", 3, "bytes"],
  ["deferred", 4, Deferred],
  ["newIdentity", 5, ResourceIdentityData],
]);

interface ReadStateBytesRequest {
  readonly typeName: string;
  readonly stateId: string;
}
const ReadStateBytesRequest: Message<ReadStateBytesRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["stateId", 2, "string"],
]);

interface ReadStateBytesResponse {
  readonly bytes: Uint8Array;
  readonly totalLength: number;
  readonly range: StateRange | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
const ReadStateBytesResponse: Message<ReadStateBytesResponse> = new Message(() => [
  ["bytes", 1, "bytes"],
  ["totalLength", 2, "int64"],
  ["range", 3, StateRange],
  ["diagnostics", 4, Diagnostic, "repeated"],
]);

interface RenewEphemeralResourceRequest {
  readonly typeName: string;
  readonly private: Uint8Array | undefined;
}
const RenewEphemeralResourceRequest: Message<RenewEphemeralResourceRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["private", 2, "bytes", "optional"],
]);

interface RenewEphemeralResourceResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly renewAt: Timestamp | undefined;
  readonly private: Uint8Array | undefined;
}
const RenewEphemeralResourceResponse: Message<RenewEphemeralResourceResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
  ["renewAt", 2, Timestamp, "optional"],
  ["private", 3, "bytes", "optional"],
]);

interface RequestChunkMeta {
  readonly typeName: string;
  readonly stateId: string;
}
const RequestChunkMeta: Message<RequestChunkMeta> = new Message(() => [
  ["typeName", 1, "string"],
  ["stateId", 2, "string"],
]);

interface ResourceIdentityData {
  readonly identityData: DynamicValue | undefined;
}
const ResourceIdentityData: Message<ResourceIdentityData> = new Message(() => [
  ["identityData", 1, DynamicValue],
]);

interface ResourceIdentitySchema {
  readonly version: number;
  readonly identityAttributes: readonly ResourceIdentitySchemaIdentityAttribute[];
}
const ResourceIdentitySchema: Message<ResourceIdentitySchema> = new Message(() => [
  ["version", 1, "int64"],
  ["identityAttributes", 2, ResourceIdentitySchemaIdentityAttribute, "repeated"],
]);

interface ResourceIdentitySchemaIdentityAttribute {
  readonly name: string;
  readonly type: Uint8Array;
  readonly requiredForImport: boolean;
  readonly optionalForImport: boolean;
  readonly description: string;
}
const ResourceIdentitySchemaIdentityAttribute: Message<ResourceIdentitySchemaIdentityAttribute> = new Message(
  () => [
    ["name", 1, "string"],
    ["type", 2, "bytes"],
    ["requiredForImport", 3, "bool"],
    ["optionalForImport", 4, "bool"],
    ["description", 5, "string"],
  ],
);

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
  readonly nestedType: SchemaObject | undefined;
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly descriptionKind: "PLAIN" | "MARKDOWN";
  readonly deprecated: boolean;
  readonly writeOnly: boolean;
  readonly deprecationMessage: string;
}
const SchemaAttribute: Message<SchemaAttribute> = new Message(() => [
  ["name", 1, "string"],
  ["type", 2, "bytes"],
  ["nestedType", 10, SchemaObject],
  ["description", 3, "string"],
  ["required", 4, "bool"],
  ["optional", 5, "bool"],
  ["computed", 6, "bool"],
  ["sensitive", 7, "bool"],
  ["descriptionKind", 8, ["PLAIN", "MARKDOWN"]],
  ["deprecated", 9, "bool"],
  ["writeOnly", 11, "bool"],
  ["deprecationMessage", 12, "string"],
]);

interface SchemaBlock {
  readonly version: number;
  readonly attributes: readonly SchemaAttribute[];
  readonly blockTypes: readonly SchemaNestedBlock[];
  readonly description: string;
  readonly descriptionKind: "PLAIN" | "MARKDOWN";
  readonly deprecated: boolean;
  readonly deprecationMessage: string;
  readonly computed: boolean;
}
const SchemaBlock: Message<SchemaBlock> = new Message(() => [
  ["version", 1, "int64"],
  ["attributes", 2, SchemaAttribute, "repeated"],
  ["blockTypes", 3, SchemaNestedBlock, "repeated"],
  ["description", 4, "string"],
  ["descriptionKind", 5, ["PLAIN", "MARKDOWN"]],
  ["deprecated", 6, "bool"],
  ["deprecationMessage", 7, "string"],
  ["computed", 8, "bool"],
]);

interface SchemaNestedBlock {
  readonly typeName: string;
  readonly block: SchemaBlock | undefined;
  readonly nesting: "INVALID" | "SINGLE" | "LIST" | "SET" | "MAP" | "GROUP";
  readonly minItems: number;
  readonly maxItems: number;
}
const SchemaNestedBlock: Message<SchemaNestedBlock> = new Message(() => [
  ["typeName", 1, "string"],
  ["block", 2, SchemaBlock],
  ["nesting", 3, ["INVALID", "SINGLE", "LIST", "SET", "MAP", "GROUP"]],
  ["minItems", 4, "int64"],
  ["maxItems", 5, "int64"],
]);

interface SchemaObject {
  readonly attributes: readonly SchemaAttribute[];
  readonly nesting: "INVALID" | "SINGLE" | "LIST" | "SET" | "MAP";
  readonly minItems: number;
  readonly maxItems: number;
}
const SchemaObject: Message<SchemaObject> = new Message(() => [
  ["attributes", 1, SchemaAttribute, "repeated"],
  ["nesting", 3, ["INVALID", "SINGLE", "LIST", "SET", "MAP"]],
  ["minItems", 4, "int64"],
  ["maxItems", 5, "int64"],
]);

interface ServerCapabilities {
  readonly planDestroy: boolean;
  readonly getProviderSchemaOptional: boolean;
  readonly moveResourceState: boolean;
  readonly generateResourceConfig: boolean;
}
const ServerCapabilities: Message<ServerCapabilities> = new Message(() => [
  ["planDestroy", 1, "bool"],
  ["getProviderSchemaOptional", 2, "bool"],
  ["moveResourceState", 3, "bool"],
  ["generateResourceConfig", 4, "bool"],
]);

interface StateRange {
  readonly start: number;
  readonly end: number;
}
const StateRange: Message<StateRange> = new Message(() => [
  ["start", 1, "int64"],
  ["end", 2, "int64"],
]);

interface StateStoreClientCapabilities {
  readonly chunkSize: number;
}
const StateStoreClientCapabilities: Message<StateStoreClientCapabilities> = new Message(() => [
  ["chunkSize", 1, "int64"],
]);

interface StateStoreServerCapabilities {
  readonly chunkSize: number;
}
const StateStoreServerCapabilities: Message<StateStoreServerCapabilities> = new Message(() => [
  ["chunkSize", 1, "int64"],
]);

type StopProviderRequest = Readonly<Record<string, never>>;
const StopProviderRequest: Message<StopProviderRequest> = new Message(() => []);

interface StopProviderResponse {
  readonly Error: string;
}
const StopProviderResponse: Message<StopProviderResponse> = new Message(() => [["Error", 1, "string"]]);

interface UnlockStateRequest {
  readonly typeName: string;
  readonly stateId: string;
  readonly lockId: string;
}
const UnlockStateRequest: Message<UnlockStateRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["stateId", 2, "string"],
  ["lockId", 3, "string"],
]);

interface UnlockStateResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const UnlockStateResponse: Message<UnlockStateResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface UpgradeResourceIdentityRequest {
  readonly typeName: string;
  readonly version: number;
  readonly rawIdentity: RawState | undefined;
}
const UpgradeResourceIdentityRequest: Message<UpgradeResourceIdentityRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["version", 2, "int64"],
  ["rawIdentity", 3, RawState],
]);

interface UpgradeResourceIdentityResponse {
  readonly upgradedIdentity: ResourceIdentityData | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
const UpgradeResourceIdentityResponse: Message<UpgradeResourceIdentityResponse> = new Message(() => [
  ["upgradedIdentity", 1, ResourceIdentityData],
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

interface ValidateActionConfigRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
}
const ValidateActionConfigRequest: Message<ValidateActionConfigRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
]);

interface ValidateActionConfigResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateActionConfigResponse: Message<ValidateActionConfigResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
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

interface ValidateEphemeralResourceConfigRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
}
const ValidateEphemeralResourceConfigRequest: Message<ValidateEphemeralResourceConfigRequest> = new Message(
  () => [
    ["typeName", 1, "string"],
    ["config", 2, DynamicValue],
  ],
);

interface ValidateEphemeralResourceConfigResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateEphemeralResourceConfigResponse: Message<ValidateEphemeralResourceConfigResponse> = new Message(
  () => [["diagnostics", 1, Diagnostic, "repeated"]],
);

interface ValidateListResourceConfigRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
  readonly includeResourceObject: DynamicValue | undefined;
  readonly limit: DynamicValue | undefined;
}
const ValidateListResourceConfigRequest: Message<ValidateListResourceConfigRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
  ["includeResourceObject", 3, DynamicValue],
  ["limit", 4, DynamicValue],
]);

interface ValidateListResourceConfigResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateListResourceConfigResponse: Message<ValidateListResourceConfigResponse> = new Message(() => [
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
  readonly clientCapabilities: ClientCapabilities | undefined;
}
const ValidateResourceConfigRequest: Message<ValidateResourceConfigRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
  ["clientCapabilities", 3, ClientCapabilities],
]);

interface ValidateResourceConfigResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateResourceConfigResponse: Message<ValidateResourceConfigResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface ValidateStateStoreRequest {
  readonly typeName: string;
  readonly config: DynamicValue | undefined;
}
const ValidateStateStoreRequest: Message<ValidateStateStoreRequest> = new Message(() => [
  ["typeName", 1, "string"],
  ["config", 2, DynamicValue],
]);

interface ValidateStateStoreResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const ValidateStateStoreResponse: Message<ValidateStateStoreResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

interface WriteStateBytesRequestChunk {
  readonly meta: RequestChunkMeta | undefined;
  readonly bytes: Uint8Array;
  readonly totalLength: number;
  readonly range: StateRange | undefined;
}
const WriteStateBytesRequestChunk: Message<WriteStateBytesRequestChunk> = new Message(() => [
  ["meta", 1, RequestChunkMeta, "optional"],
  ["bytes", 2, "bytes"],
  ["totalLength", 3, "int64"],
  ["range", 4, StateRange],
]);

interface WriteStateBytesResponse {
  readonly diagnostics: readonly Diagnostic[];
}
const WriteStateBytesResponse: Message<WriteStateBytesResponse> = new Message(() => [
  ["diagnostics", 1, Diagnostic, "repeated"],
]);

/** The messages by their names in the protocol. */
export interface Messages {
  readonly Timestamp: Timestamp;
  readonly ActionSchema: ActionSchema;
  readonly "ApplyResourceChange.Request": ApplyResourceChangeRequest;
  readonly "ApplyResourceChange.Response": ApplyResourceChangeResponse;
  readonly AttributePath: AttributePath;
  readonly "AttributePath.Step": AttributePathStep;
  readonly "CallFunction.Request": CallFunctionRequest;
  readonly "CallFunction.Response": CallFunctionResponse;
  readonly ClientCapabilities: ClientCapabilities;
  readonly "CloseEphemeralResource.Request": CloseEphemeralResourceRequest;
  readonly "CloseEphemeralResource.Response": CloseEphemeralResourceResponse;
  readonly "ConfigureProvider.Request": ConfigureProviderRequest;
  readonly "ConfigureProvider.Response": ConfigureProviderResponse;
  readonly "ConfigureStateStore.Request": ConfigureStateStoreRequest;
  readonly "ConfigureStateStore.Response": ConfigureStateStoreResponse;
  readonly Deferred: Deferred;
  readonly "DeleteState.Request": DeleteStateRequest;
  readonly "DeleteState.Response": DeleteStateResponse;
  readonly Diagnostic: Diagnostic;
  readonly DynamicValue: DynamicValue;
  readonly Function: FunctionMessage;
  readonly "Function.Parameter": FunctionParameter;
  readonly "Function.Return": FunctionReturn;
  readonly FunctionError: FunctionError;
  readonly "GenerateResourceConfig.Request": GenerateResourceConfigRequest;
  readonly "GenerateResourceConfig.Response": GenerateResourceConfigResponse;
  readonly "GetFunctions.Request": GetFunctionsRequest;
  readonly "GetFunctions.Response": GetFunctionsResponse;
  readonly "GetMetadata.ActionMetadata": GetMetadataActionMetadata;
  readonly "GetMetadata.DataSourceMetadata": GetMetadataDataSourceMetadata;
  readonly "GetMetadata.EphemeralMetadata": GetMetadataEphemeralMetadata;
  readonly "GetMetadata.FunctionMetadata": GetMetadataFunctionMetadata;
  readonly "GetMetadata.ListResourceMetadata": GetMetadataListResourceMetadata;
  readonly "GetMetadata.Request": GetMetadataRequest;
  readonly "GetMetadata.ResourceMetadata": GetMetadataResourceMetadata;
  readonly "GetMetadata.Response": GetMetadataResponse;
  readonly "GetMetadata.StateStoreMetadata": GetMetadataStateStoreMetadata;
  readonly "GetProviderSchema.Request": GetProviderSchemaRequest;
  readonly "GetProviderSchema.Response": GetProviderSchemaResponse;
  readonly "GetResourceIdentitySchemas.Request": GetResourceIdentitySchemasRequest;
  readonly "GetResourceIdentitySchemas.Response": GetResourceIdentitySchemasResponse;
  readonly "GetStates.Request": GetStatesRequest;
  readonly "GetStates.Response": GetStatesResponse;
  readonly "ImportResourceState.ImportedResource": ImportResourceStateImportedResource;
  readonly "ImportResourceState.Request": ImportResourceStateRequest;
  readonly "ImportResourceState.Response": ImportResourceStateResponse;
  readonly "InvokeAction.Event": InvokeActionEvent;
  readonly "InvokeAction.Event.Completed": InvokeActionEventCompleted;
  readonly "InvokeAction.Event.Progress": InvokeActionEventProgress;
  readonly "InvokeAction.Request": InvokeActionRequest;
  readonly "ListResource.Event": ListResourceEvent;
  readonly "ListResource.Request": ListResourceRequest;
  readonly "LockState.Request": LockStateRequest;
  readonly "LockState.Response": LockStateResponse;
  readonly "MoveResourceState.Request": MoveResourceStateRequest;
  readonly "MoveResourceState.Response": MoveResourceStateResponse;
  readonly "OpenEphemeralResource.Request": OpenEphemeralResourceRequest;
  readonly "OpenEphemeralResource.Response": OpenEphemeralResourceResponse;
  readonly "PlanAction.Request": PlanActionRequest;
  readonly "PlanAction.Response": PlanActionResponse;
  readonly "PlanResourceChange.Request": PlanResourceChangeRequest;
  readonly "PlanResourceChange.Response": PlanResourceChangeResponse;
  readonly RawState: RawState;
  readonly "ReadDataSource.Request": ReadDataSourceRequest;
  readonly "ReadDataSource.Response": ReadDataSourceResponse;
  readonly "ReadResource.Request": ReadResourceRequest;
  readonly "ReadResource.Response": ReadResourceResponse;
  readonly "ReadStateBytes.Request": ReadStateBytesRequest;
  readonly "ReadStateBytes.Response": ReadStateBytesResponse;
  readonly "RenewEphemeralResource.Request": RenewEphemeralResourceRequest;
  readonly "RenewEphemeralResource.Response": RenewEphemeralResourceResponse;
  readonly RequestChunkMeta: RequestChunkMeta;
  readonly ResourceIdentityData: ResourceIdentityData;
  readonly ResourceIdentitySchema: ResourceIdentitySchema;
  readonly "ResourceIdentitySchema.IdentityAttribute": ResourceIdentitySchemaIdentityAttribute;
  readonly Schema: Schema;
  readonly "Schema.Attribute": SchemaAttribute;
  readonly "Schema.Block": SchemaBlock;
  readonly "Schema.NestedBlock": SchemaNestedBlock;
  readonly "Schema.Object": SchemaObject;
  readonly ServerCapabilities: ServerCapabilities;
  readonly StateRange: StateRange;
  readonly StateStoreClientCapabilities: StateStoreClientCapabilities;
  readonly StateStoreServerCapabilities: StateStoreServerCapabilities;
  readonly "StopProvider.Request": StopProviderRequest;
  readonly "StopProvider.Response": StopProviderResponse;
  readonly "UnlockState.Request": UnlockStateRequest;
  readonly "UnlockState.Response": UnlockStateResponse;
  readonly "UpgradeResourceIdentity.Request": UpgradeResourceIdentityRequest;
  readonly "UpgradeResourceIdentity.Response": UpgradeResourceIdentityResponse;
  readonly "UpgradeResourceState.Request": UpgradeResourceStateRequest;
  readonly "UpgradeResourceState.Response": UpgradeResourceStateResponse;
  readonly "ValidateActionConfig.Request": ValidateActionConfigRequest;
  readonly "ValidateActionConfig.Response": ValidateActionConfigResponse;
  readonly "ValidateDataResourceConfig.Request": ValidateDataResourceConfigRequest;
  readonly "ValidateDataResourceConfig.Response": ValidateDataResourceConfigResponse;
  readonly "ValidateEphemeralResourceConfig.Request": ValidateEphemeralResourceConfigRequest;
  readonly "ValidateEphemeralResourceConfig.Response": ValidateEphemeralResourceConfigResponse;
  readonly "ValidateListResourceConfig.Request": ValidateListResourceConfigRequest;
  readonly "ValidateListResourceConfig.Response": ValidateListResourceConfigResponse;
  readonly "ValidateProviderConfig.Request": ValidateProviderConfigRequest;
  readonly "ValidateProviderConfig.Response": ValidateProviderConfigResponse;
  readonly "ValidateResourceConfig.Request": ValidateResourceConfigRequest;
  readonly "ValidateResourceConfig.Response": ValidateResourceConfigResponse;
  readonly "ValidateStateStore.Request": ValidateStateStoreRequest;
  readonly "ValidateStateStore.Response": ValidateStateStoreResponse;
  readonly "WriteStateBytes.RequestChunk": WriteStateBytesRequestChunk;
  readonly "WriteStateBytes.Response": WriteStateBytesResponse;
}

export const PROVIDER_SERVICE = {
  GetMetadata: method("unary", "/tfplugin6.Provider/GetMetadata", GetMetadataRequest, GetMetadataResponse),
  GetProviderSchema: method(
    "unary",
    "/tfplugin6.Provider/GetProviderSchema",
    GetProviderSchemaRequest,
    GetProviderSchemaResponse,
  ),
  ValidateProviderConfig: method(
    "unary",
    "/tfplugin6.Provider/ValidateProviderConfig",
    ValidateProviderConfigRequest,
    ValidateProviderConfigResponse,
  ),
  ValidateResourceConfig: method(
    "unary",
    "/tfplugin6.Provider/ValidateResourceConfig",
    ValidateResourceConfigRequest,
    ValidateResourceConfigResponse,
  ),
  ValidateDataResourceConfig: method(
    "unary",
    "/tfplugin6.Provider/ValidateDataResourceConfig",
    ValidateDataResourceConfigRequest,
    ValidateDataResourceConfigResponse,
  ),
  UpgradeResourceState: method(
    "unary",
    "/tfplugin6.Provider/UpgradeResourceState",
    UpgradeResourceStateRequest,
    UpgradeResourceStateResponse,
  ),
  GetResourceIdentitySchemas: method(
    "unary",
    "/tfplugin6.Provider/GetResourceIdentitySchemas",
    GetResourceIdentitySchemasRequest,
    GetResourceIdentitySchemasResponse,
  ),
  UpgradeResourceIdentity: method(
    "unary",
    "/tfplugin6.Provider/UpgradeResourceIdentity",
    UpgradeResourceIdentityRequest,
    UpgradeResourceIdentityResponse,
  ),
  ConfigureProvider: method(
    "unary",
    "/tfplugin6.Provider/ConfigureProvider",
    ConfigureProviderRequest,
    ConfigureProviderResponse,
  ),
  ReadResource: method(
    "unary",
    "/tfplugin6.Provider/ReadResource",
    ReadResourceRequest,
    ReadResourceResponse,
  ),
  PlanResourceChange: method(
    "unary",
    "/tfplugin6.Provider/PlanResourceChange",
    PlanResourceChangeRequest,
    PlanResourceChangeResponse,
  ),
  ApplyResourceChange: method(
    "unary",
    "/tfplugin6.Provider/ApplyResourceChange",
    ApplyResourceChangeRequest,
    ApplyResourceChangeResponse,
  ),
  ImportResourceState: method(
    "unary",
    "/tfplugin6.Provider/ImportResourceState",
    ImportResourceStateRequest,
    ImportResourceStateResponse,
  ),
  MoveResourceState: method(
    "unary",
    "/tfplugin6.Provider/MoveResourceState",
    MoveResourceStateRequest,
    MoveResourceStateResponse,
  ),
  ReadDataSource: method(
    "unary",
    "/tfplugin6.Provider/ReadDataSource",
    ReadDataSourceRequest,
    ReadDataSourceResponse,
  ),
  GenerateResourceConfig: method(
    "unary",
    "/tfplugin6.Provider/GenerateResourceConfig",
    GenerateResourceConfigRequest,
    GenerateResourceConfigResponse,
  ),
  ValidateEphemeralResourceConfig: method(
    "unary",
    "/tfplugin6.Provider/ValidateEphemeralResourceConfig",
    ValidateEphemeralResourceConfigRequest,
    ValidateEphemeralResourceConfigResponse,
  ),
  OpenEphemeralResource: method(
    "unary",
    "/tfplugin6.Provider/OpenEphemeralResource",
    OpenEphemeralResourceRequest,
    OpenEphemeralResourceResponse,
  ),
  RenewEphemeralResource: method(
    "unary",
    "/tfplugin6.Provider/RenewEphemeralResource",
    RenewEphemeralResourceRequest,
    RenewEphemeralResourceResponse,
  ),
  CloseEphemeralResource: method(
    "unary",
    "/tfplugin6.Provider/CloseEphemeralResource",
    CloseEphemeralResourceRequest,
    CloseEphemeralResourceResponse,
  ),
  ListResource: method(
    "server-streaming",
    "/tfplugin6.Provider/ListResource",
    ListResourceRequest,
    ListResourceEvent,
  ),
  ValidateListResourceConfig: method(
    "unary",
    "/tfplugin6.Provider/ValidateListResourceConfig",
    ValidateListResourceConfigRequest,
    ValidateListResourceConfigResponse,
  ),
  GetFunctions: method(
    "unary",
    "/tfplugin6.Provider/GetFunctions",
    GetFunctionsRequest,
    GetFunctionsResponse,
  ),
  CallFunction: method(
    "unary",
    "/tfplugin6.Provider/CallFunction",
    CallFunctionRequest,
    CallFunctionResponse,
  ),
  ValidateStateStoreConfig: method(
    "unary",
    "/tfplugin6.Provider/ValidateStateStoreConfig",
    ValidateStateStoreRequest,
    ValidateStateStoreResponse,
  ),
  ConfigureStateStore: method(
    "unary",
    "/tfplugin6.Provider/ConfigureStateStore",
    ConfigureStateStoreRequest,
    ConfigureStateStoreResponse,
  ),
  ReadStateBytes: method(
    "server-streaming",
    "/tfplugin6.Provider/ReadStateBytes",
    ReadStateBytesRequest,
    ReadStateBytesResponse,
  ),
  WriteStateBytes: method(
    "client-streaming",
    "/tfplugin6.Provider/WriteStateBytes",
    WriteStateBytesRequestChunk,
    WriteStateBytesResponse,
  ),
  LockState: method("unary", "/tfplugin6.Provider/LockState", LockStateRequest, LockStateResponse),
  UnlockState: method("unary", "/tfplugin6.Provider/UnlockState", UnlockStateRequest, UnlockStateResponse),
  GetStates: method("unary", "/tfplugin6.Provider/GetStates", GetStatesRequest, GetStatesResponse),
  DeleteState: method("unary", "/tfplugin6.Provider/DeleteState", DeleteStateRequest, DeleteStateResponse),
  PlanAction: method("unary", "/tfplugin6.Provider/PlanAction", PlanActionRequest, PlanActionResponse),
  InvokeAction: method(
    "server-streaming",
    "/tfplugin6.Provider/InvokeAction",
    InvokeActionRequest,
    InvokeActionEvent,
  ),
  ValidateActionConfig: method(
    "unary",
    "/tfplugin6.Provider/ValidateActionConfig",
    ValidateActionConfigRequest,
    ValidateActionConfigResponse,
  ),
  StopProvider: method(
    "unary",
    "/tfplugin6.Provider/StopProvider",
    StopProviderRequest,
    StopProviderResponse,
  ),
};
