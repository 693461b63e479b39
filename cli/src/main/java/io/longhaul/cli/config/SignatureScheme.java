// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

/** How a message of a webhook is signed. */
public enum SignatureScheme {
    /** As in Standard Webhooks: over id, time and body. */
    STANDARD,
    /** As at GitHub: over the body alone. */
    GITHUB
}
