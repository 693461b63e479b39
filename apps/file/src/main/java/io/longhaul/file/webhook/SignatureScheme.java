// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import java.time.Duration;

/** How a message of a webhook is signed. */
public enum SignatureScheme {
    /** As in Standard Webhooks: over id, time and body. */
    STANDARD,
    /** As at GitHub: over the body alone. */
    GITHUB;

    /** The most that the time of a {@link #STANDARD} delivery may differ from the time of the server, either way. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);
}
