// SPDX-License-Identifier: Apache-2.0
/**
 * Checks what a server asks of a host before the host sees it. The package knows no task and no call: a question is
 * checked alike whatever it is asked for.
 */
@NullMarked
package io.longhaul.client.question;

import org.jspecify.annotations.NullMarked;
