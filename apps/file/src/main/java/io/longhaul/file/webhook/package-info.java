// SPDX-License-Identifier: Apache-2.0
/**
 * Messages between other systems and a server of a file: {@code Triggers} starts tasks under the id of a signed
 * message, {@code Notifier} keeps each end of a task as a row and tells each {@code Recipient}. The package knows no
 * HTTP server, and not how a tool works.
 */
@NullMarked
package io.longhaul.file.webhook;

import org.jspecify.annotations.NullMarked;
