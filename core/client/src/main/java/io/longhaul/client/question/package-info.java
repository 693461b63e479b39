// SPDX-License-Identifier: Apache-2.0
/**
 * Questions of a server on their way to the functions of a host, and the replies on their way back. The package
 * knows no task and no call: a question is answered alike whatever it is asked for.
 */
@NullMarked
package io.longhaul.client.question;

import org.jspecify.annotations.NullMarked;
