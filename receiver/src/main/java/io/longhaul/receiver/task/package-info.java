/** What a task remembers of the request that created it, and at which pace it is told of. */
@NullMarked
package io.longhaul.receiver.task;

import org.jspecify.annotations.NullMarked;
