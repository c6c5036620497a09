import java.math.BigInteger;
import java.security.*;
import javax.crypto.*;
import javax.crypto.spec.*;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** Algorithms that the JDK asks Bouncy Castle's provider for. */
public class Main {
    public static void main(String[] args) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        System.out.println(new BigInteger(1, MessageDigest.getInstance("RIPEMD160", "BC").digest("text".getBytes())).toString(16));
        System.out.println(new BigInteger(1, MessageDigest.getInstance("Tiger", "BC").digest("text".getBytes())).toString(16));
        Cipher cipher = Cipher.getInstance("Twofish/CBC/PKCS7Padding", "BC");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "Twofish"), new IvParameterSpec(new byte[16]));
        System.out.println(new BigInteger(1, cipher.doFinal("text".getBytes())).toString(16));
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "BC");
        generator.initialize(new java.security.spec.ECGenParameterSpec("secp256k1"));
        KeyPair pair = generator.generateKeyPair();
        Signature signature = Signature.getInstance("SHA256withECDSA", "BC");
        signature.initSign(pair.getPrivate());
        signature.update(new byte[3]);
        byte[] signed = signature.sign();
        signature.initVerify(pair.getPublic());
        signature.update(new byte[3]);
        System.out.println(signature.verify(signed));
    }
}
