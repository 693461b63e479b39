// SPDX-License-Identifier: Apache-2.0
/** Questions that clients run as tasks of their own: this server looks at these until each has its answer. */
@NullMarked
package io.longhaul.receiver.hosted;

import org.jspecify.annotations.NullMarked;
