// SPDX-License-Identifier: Apache-2.0
/**
 * What clients subscribe to: changes of the server's lists and resources, and of tasks they name. The package does not
 * know who changes these, nor how a call is answered.
 */
@NullMarked
package io.longhaul.receiver.subscription;

import org.jspecify.annotations.NullMarked;
