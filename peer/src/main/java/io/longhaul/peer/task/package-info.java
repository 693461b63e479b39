/** What a task remembers of the request that created it. */
@NullMarked
package io.longhaul.peer.task;

import org.jspecify.annotations.NullMarked;
