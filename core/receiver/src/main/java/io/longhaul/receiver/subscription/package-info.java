// SPDX-License-Identifier: Apache-2.0
/** What clients subscribe to: changes of the server's lists and resources, and of tasks they name. */
@NullMarked
package io.longhaul.receiver.subscription;

import org.jspecify.annotations.NullMarked;
