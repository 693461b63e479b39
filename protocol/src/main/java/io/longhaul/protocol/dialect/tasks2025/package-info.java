/** Sessions that a handshake opens, up to the tasks of 2025-11-25. */
@NullMarked
package io.longhaul.protocol.dialect.tasks2025;

import org.jspecify.annotations.NullMarked;
