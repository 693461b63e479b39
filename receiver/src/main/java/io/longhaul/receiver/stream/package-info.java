/** Delivery: what happens to tasks and to the server, on its way to the streams of clients. */
@NullMarked
package io.longhaul.receiver.stream;

import org.jspecify.annotations.NullMarked;
