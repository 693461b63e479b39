// SPDX-License-Identifier: Apache-2.0
/**
 * Questions to clients: who can be asked what, which answers are good, and the ids under which questions go out. The
 * package knows neither the session nor the stream that a question goes to.
 */
@NullMarked
package io.longhaul.receiver.question;

import org.jspecify.annotations.NullMarked;
