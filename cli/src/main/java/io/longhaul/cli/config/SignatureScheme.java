// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

/** How a message of a webhook is signed. */
public enum SignatureScheme {
    /** As Standard Webhooks have it: over id, time and body. */
    STANDARD,
    /** As GitHub has it: over the body alone. */
    GITHUB
}
