import io.netty.bootstrap.*;
import io.netty.buffer.*;
import io.netty.channel.*;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.*;
import io.netty.handler.codec.*;
import io.netty.handler.codec.string.*;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A server and a client in one process. */
public class Main {
    public static void main(String[] args) throws Exception {
        EventLoopGroup group = new NioEventLoopGroup(2);
        Channel server = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class).childHandler(new ChannelInitializer<Channel>() {
            @Override protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new LineBasedFrameDecoder(100), new StringDecoder(StandardCharsets.UTF_8), new StringEncoder(StandardCharsets.UTF_8),
                    new SimpleChannelInboundHandler<String>() {
                        @Override protected void channelRead0(ChannelHandlerContext context, String line) { context.writeAndFlush("echo " + line + "\n"); }
                    });
            }
        }).bind(new InetSocketAddress("127.0.0.1", 0)).sync().channel();
        Channel client = new Bootstrap().group(group).channel(NioSocketChannel.class).handler(new ChannelInitializer<Channel>() {
            @Override protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new LineBasedFrameDecoder(100), new StringDecoder(StandardCharsets.UTF_8),
                    new SimpleChannelInboundHandler<String>() {
                        @Override protected void channelRead0(ChannelHandlerContext context, String line) { System.out.println(line); context.close(); }
                    });
            }
        }).connect(server.localAddress()).sync().channel();
        client.writeAndFlush(Unpooled.copiedBuffer("hello\n", StandardCharsets.UTF_8)).sync();
        client.closeFuture().sync();
        server.close().sync();
        group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).sync();
    }
}
