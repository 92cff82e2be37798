import { createPrivateKey, X509Certificate } from "node:crypto";
import { certificatePem, createIdentity } from "../../../src/plugin/transport/handshake";

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const identity = createIdentity(NOW);
const certificate = new X509Certificate(identity.certificate);

test("OpenSSL reads the same certificate from the DER and the PEM form", () => {
  expect(new X509Certificate(identity.certificatePem).raw).toEqual(identity.certificate);
  expect(certificate.subject).toBe("CN=localhost");
  expect(certificate.issuer).toBe("CN=localhost");
});

test("the certificate is valid for the host localhost and not for example.com", () => {
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.checkHost("example.com")).toBeUndefined();
  expect(certificate.ca).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

test("the certificate's private key is on the curve P-256", () => {
  const key = createPrivateKey(identity.keyPem);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(key.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
});

test("the certificate allows use by a server and by a client", () => {
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
});

test("the certificate is valid from one hour before its creation to thirty days after its creation", () => {
  expect(new Date(certificate.validFrom).getTime()).toBe(NOW - 3_600_000);
  expect(new Date(certificate.validTo).getTime()).toBe(NOW + 30 * 24 * 3_600_000);
});

test("two certificates have different serial numbers and keys", () => {
  const other = new X509Certificate(createIdentity(NOW).certificate);
  expect(other.serialNumber).not.toBe(certificate.serialNumber);
  expect(other.publicKey.equals(certificate.publicKey)).toBe(false);
});

test("if the last line of a PEM certificate has 64 characters, no empty line follows it", () => {
  expect(certificatePem(Buffer.alloc(48)).split("\n")).toEqual([
    "-----BEGIN CERTIFICATE-----",
    "A".repeat(64),
    "-----END CERTIFICATE-----",
    "",
  ]);
});
