/**
 * The certificates of tests. They began in 2020, so that tests under a faked clock accept them.
 */

/** A certificate that no browser trusts, since its issuer is its own host. It protects nothing: the key is public. */
export const untrusted = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFV8dfA2Q02VrqNQQ
5to1PfvuNsi8NEj5NVG3r6yT/vihRANCAASItfYX7wnuaEeYipN1uoYEm3IbxNrj
ZYyGQTGW6VyMqTv0aGoyKh6Kt+ZA99zeBFkvpPoyC00ibzpN9E/XZecp
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUQrbZeKDfG2/iQne52T+iyzUSIOswCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQc2VjdXJlLnNob3AudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8y
MTE5MTIwODAwMDAwMFowGzEZMBcGA1UEAwwQc2VjdXJlLnNob3AudGVzdDBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABIi19hfvCe5oR5iKk3W6hgSbchvE2uNljIZB
MZbpXIypO/RoajIqHoq35kD33N4EWS+k+jILTSJvOk30T9dl5ymjcDBuMB0GA1Ud
DgQWBBRgxD0bUu97CrX6B61THeBVifwJ7jAfBgNVHSMEGDAWgBRgxD0bUu97CrX6
B61THeBVifwJ7jAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHNlY3VyZS5z
aG9wLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIgb7XDYtx2Kn2rR+/bVx5vICWjAF/v
D07pZ9O+r4Kq+wYCIQCzE5yxj8M7QBu8bSMrgWTxQnTEgWRdLkg/tdLCW36yyg==
-----END CERTIFICATE-----
`,
}

/** A certificate of `shop.test`, for tests that trust it. It protects nothing: the key is public. */
export const trusted = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOiVUNFnGUFlLbi3U
SX83o5mmKWMkOG/yQATBd1aK4xehRANCAAT0EmgNqnK6xEjwGDWyt2l2zQRBbTQT
9Gz6W/VqMyaOJikKGbtUzO+Lb9Y+aUQg7cRyBWfu/CdtyCdRzVqNTrGz
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUZge1rWqYFoxS9EQSoF9I2Ic7b4YwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJc2hvcC50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMTkxMjA4
MDAwMDAwWjAUMRIwEAYDVQQDDAlzaG9wLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT0EmgNqnK6xEjwGDWyt2l2zQRBbTQT9Gz6W/VqMyaOJikKGbtUzO+L
b9Y+aUQg7cRyBWfu/CdtyCdRzVqNTrGzo2kwZzAdBgNVHQ4EFgQUPM6rZPtbSkkl
T/KlA2hpxcH4TGgwHwYDVR0jBBgwFoAUPM6rZPtbSkklT/KlA2hpxcH4TGgwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglzaG9wLnRlc3QwCgYIKoZIzj0EAwID
SQAwRgIhAIOCmhpUe72f8JCbB+wqI2v5JtYQLM5eexB1YkCyZiK6AiEA92lI3DmX
597NCzeGVwKY2sfSm03s3y3tBCpL8q7Ra00=
-----END CERTIFICATE-----
`,
}
