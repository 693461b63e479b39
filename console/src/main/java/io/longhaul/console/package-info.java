// SPDX-License-Identifier: Apache-2.0
/** Pages on which a person sees and operates the tasks of a server, in a browser. */
@NullMarked
package io.longhaul.console;

import org.jspecify.annotations.NullMarked;
