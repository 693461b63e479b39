/**
 * The receiving side: requests of any generation become quick calls and durable tasks, and what happens to these goes
 * back.
 */
@NullMarked
package io.longhaul.receiver;

import org.jspecify.annotations.NullMarked;
